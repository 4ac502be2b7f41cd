/**
 * Tests, before anything is published, that a store keeps the promises that `store.ts` documents. Some network mounts and some
 * S3-compatible stores do not keep them: a store that overwrites objects would lose a snapshot silently.
 */
import { createHash } from 'node:crypto';
import { CrossfootError, isCrossfootError } from '../errors.ts';
import type { Clock } from '../clock.ts';
import { untilAnswered } from './retry.ts';
import type { Store } from './store.ts';

/** So many parallel creates that a store without atomic creates accepts at least two of them. */
const PARALLEL_CREATES = 32;
const PROBE_CAP_BYTES = 1024;

interface Check {
  readonly name: string;
  readonly holds: (store: Store, key: string) => Promise<boolean>;
}

const CHECKS: readonly Check[] = [
  {
    name: 'a second create loses and changes nothing',
    holds: async (store, key) =>
      (await store.create(key, text('first'))) === 'created' &&
      (await store.create(key, text('second'))) === 'exists' &&
      (await readText(store, key)) === 'first',
  },
  {
    name: 'of 32 parallel creates exactly one wins and is what is read',
    holds: async (store, key) => {
      const bodies = Array.from({ length: PARALLEL_CREATES }, (_, number) => `body ${number}`);
      const outcomes = await Promise.all(bodies.map((body) => store.create(key, text(body))));
      const winners = bodies.filter((_, number) => outcomes[number] === 'created');
      return winners.length === 1 && (await readText(store, key)) === winners[0];
    },
  },
  {
    name: 'a fresh key is listed',
    holds: async (store, key) => {
      await store.create(key, text('listed'));
      for await (const listed of store.list(PROBE_PREFIX)) if (listed === key) return true;
      return false;
    },
  },
  {
    name: 'a range is read as asked',
    holds: async (store, key) => {
      await store.create(key, text('0123456789'));
      const pieces = [];
      for await (const piece of store.readRange(key, 3, 4)) pieces.push(piece);
      return Buffer.concat(pieces).toString() === '3456';
    },
  },
  {
    name: 'bytes that differ from their checksum are refused',
    holds: async (store, key) => {
      const sent = text('sent');
      const sha256 = createHash('sha256').update('announced').digest('hex');
      async function* open(): AsyncGenerator<Uint8Array> {
        yield sent;
      }
      try {
        await store.create(key, { size: sent.length, sha256, open });
        return false;
      } catch (error) {
        if (!(error instanceof CrossfootError && error.code === 'store_checksum_mismatch')) throw error;
        return (await store.stat(key)) === null;
      }
    },
  },
  {
    name: 'a deleted key is absent',
    holds: async (store, key) => {
      await store.create(key, text('deleted'));
      await store.delete(key);
      return (await store.stat(key)) === null && (await store.readSmall(key, PROBE_CAP_BYTES)) === null;
    },
  },
];

const PROBE_PREFIX = 'v1/probe/';

interface SelfTestTools {
  readonly clock: Clock;
  readonly randomUuid: () => string;
}

/**
 * Runs each check on a probe object of its own, and deletes the object once the check has a result. A check that throws
 * leaves its object. The error names the first check that fails.
 */
export async function testStore(store: Store, { clock, randomUuid }: SelfTestTools): Promise<void> {
  const steady = { ...store, create: steadyCreate(store, clock) };
  for (const check of CHECKS) {
    let held: boolean;
    try {
      held = await untilAnswered(clock, async () => {
        const key = PROBE_PREFIX + randomUuid();
        const holds = await check.holds(steady, key);
        await store.delete(key);
        return holds;
      });
    } catch (error) {
      throw failed(check, error);
    }
    if (!held) throw failed(check);
  }
  await askForDigests(store, randomUuid);
}

/** Lets the store show that it computes digests. It need not: then what is stored is read back. */
async function askForDigests(store: Store, randomUuid: SelfTestTools['randomUuid']): Promise<void> {
  if (store.computesDigests === undefined) return;
  const keys = [PROBE_PREFIX + randomUuid(), PROBE_PREFIX + randomUuid()] as const;
  await store.computesDigests(...keys);
  // Prune removes what a refused deletion leaves.
  for (const key of keys) await store.delete(key).catch(() => undefined);
}

/**
 * A create that is retried until the store answers, as publishing does: some S3-compatible stores answer a lost race with a
 * 500. If the reply to a successful create is lost, the retry finds an existing object. Only its bytes then show that this
 * program created it.
 */
function steadyCreate(store: Store, clock: Clock): Store['create'] {
  return async (key, body) => {
    let answers = 0;
    const outcome = await untilAnswered(clock, () => {
      answers += 1;
      return store.create(key, body);
    });
    const lostReply = outcome === 'exists' && answers > 1 && body instanceof Uint8Array;
    return lostReply && (await readText(store, key)) === Buffer.from(body).toString() ? 'created' : outcome;
  };
}

function failed(check: Check, cause?: unknown): CrossfootError {
  // If the login is refused, the first check fails: the hint of that refusal helps most.
  const ours = isCrossfootError(cause);
  const why = ours ? ` (${cause.message.replace(/^store: |\.$/g, '')})` : '';
  return new CrossfootError(
    'store_self_test_failed',
    `store: the check "${check.name}" failed${why}; no snapshot was written.`,
    {
      hint:
        (ours ? cause.hint : undefined) ??
        'Use a local disk or a bucket with conditional writes; network mounts often lack hard links.',
      data: { check: check.name, ...(ours && 'code' in cause.data ? { code: cause.data['code'] } : {}) },
      cause,
    },
  );
}

function text(value: string): Uint8Array {
  return Buffer.from(value);
}

async function readText(store: Store, key: string): Promise<string | null> {
  const bytes = await store.readSmall(key, PROBE_CAP_BYTES);
  return bytes === null ? null : Buffer.from(bytes).toString();
}
