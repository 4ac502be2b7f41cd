import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CrossfootError, isCrossfootError } from '../../../src/errors.ts';
import { type AuditedBuild, publish } from '../../../src/snapshot/builder/publish.ts';
import { emptyLog } from '../../../src/snapshot/format/publish-log.ts';
import { readLog } from '../../../src/snapshot/read/read-log.ts';
import type { Store } from '../../../src/store/store.ts';
import { memoryStore } from '../../store/memory-store.ts';
import {
  aBuild,
  ACCOUNT,
  MIDNIGHT,
  clockAt,
  publishNow,
  readerAt,
  SECOND,
  servedWhole,
} from './build-harness.ts';
import { type Fault, FAULTS, faultyStore } from './faulty-store.ts';

const old = aBuild('old', MIDNIGHT - 20n * SECOND);
const next = aBuild('next', MIDNIGHT - 10n * SECOND);
const later = aBuild('later', MIDNIGHT - 5n * SECOND);

async function publishedIds(store: Store): Promise<string[]> {
  const log = await readLog(store, ACCOUNT);
  expect(log.fault).toBeNull();
  return log.entries.map((entry) => entry.snapshot_id);
}

test('the log has the first snapshot and the next ones in order', async () => {
  const store = memoryStore();
  expect(await servedWhole(store, [])).toBeNull();
  expect(await publishNow(store, old)).toEqual({ outcome: 'published', seq: 1 });
  expect(await servedWhole(store, ['old'])).toBe('old');
  expect(await publishNow(store, next)).toEqual({ outcome: 'published', seq: 2 });
  expect(await servedWhole(store, ['old', 'next'])).toBe('next');
  expect(await publishedIds(store)).toEqual(['20260228T235940Z', '20260228T235950Z']);
});

test('nothing of a snapshot is visible before the log entry, which is written last', async () => {
  const objects = new Map<string, Uint8Array>();
  await publishNow(memoryStore(objects), old);
  const names = [...objects.keys()].map((key) => key.split('/').at(-1));
  expect(names).toEqual([
    'snapshot.parquet',
    'snapshot.blocks',
    'costs.parquet',
    'costs.blocks',
    'audit.json',
    'manifest.json',
    '0000000001.json',
  ]);
});

test('the manifest has the facts of the build', async () => {
  const store = memoryStore();
  await publishNow(store, old);
  await publishNow(store, { ...next, changes_from: null });
  const listed = await readerAt(store, () => MIDNIGHT).list(ACCOUNT);
  expect(listed.map((snapshot) => snapshot.changes_from)).toEqual([null, MIDNIGHT - 21n * SECOND]);
  expect(listed[0]).toMatchObject({ account_id: 7, schema_version: 'v1', versions: next.versions });
});

test('a snapshot published before is recognised, also behind a newer one', async () => {
  const store = memoryStore();
  await publishNow(store, old);
  await publishNow(store, next);
  expect(await publishNow(store, old)).toEqual({ outcome: 'published', seq: 1 });
  expect(await publishedIds(store)).toHaveLength(2);
});

describe.each(FAULTS)('a store that %s', (fault: Fault) => {
  async function run(faultyCall: number) {
    const objects = new Map<string, Uint8Array>();
    await publishNow(memoryStore(objects), old);
    const faulty = faultyStore(memoryStore(objects), fault, faultyCall);
    const outcome = await publishNow(faulty, next).then(
      (result) => result.outcome,
      (error: unknown) => (isCrossfootError(error) ? error.code : 'unforeseen'),
    );
    const served = await servedWhole(memoryStore(objects), ['old', 'next']);
    const copy = memoryStore(new Map(objects));
    const again = await publishNow(copy, next);
    const idsAfterRetry = await publishedIds(copy);
    const after = await publishNow(memoryStore(objects), later);
    const ids = await publishedIds(memoryStore(objects));
    return {
      reached: faulty.reached(),
      outcome,
      served,
      retry: `${again.outcome} ${idsAfterRetry.length}`,
      after: after.outcome,
      last: await servedWhole(memoryStore(objects), ['later']),
      unique: new Set(ids).size === ids.length,
    };
  }

  test('serves the old snapshot or the new one whole at every call, and the next publish succeeds', async () => {
    const runs = [];
    for (let call = 1; runs.at(-1)?.reached !== false; call += 1) runs.push(await run(call));
    // The faults: 2 reads of the log at the start, 5 objects of create and read, the manifest's create and
    // read, the entry's create; and the run that the fault did not reach.
    expect(runs.length).toBeGreaterThanOrEqual(2 + 5 * 2 + 2 + 1 + 1);
    for (const each of runs) {
      expect(each).toMatchObject({ retry: 'published 2', after: 'published', last: 'later', unique: true });
    }
    // Told "published" means visible. After an error it may still be visible, but only if the builder could not find out.
    for (const each of runs) {
      const told =
        each.outcome === 'published' ? 'next' : each.outcome === 'store_outcome_unknown' ? null : 'old';
      expect([told ?? each.served, 'next']).toContain(each.served);
      expect(told ?? each.served).toBe(each.served);
    }
  });

  test('is retried where a retry is right, and its fault is named where it is not', async () => {
    const { outcome } = await run(8);
    const named: Record<Fault, string> = {
      'refuses one call': 'store_unavailable',
      'loses one request': 'published',
      'loses one reply': 'published',
      'goes silent': 'store_outcome_unknown',
      'goes silent after applying': 'store_outcome_unknown',
    };
    expect(outcome).toBe(named[fault]);
  });
});

function tiny(label: string, generated_at: bigint): AuditedBuild {
  return aBuild(label, generated_at, new Map([['costs', Buffer.from(label)]]));
}

describe('two builders of one account', () => {
  test('publish both when the older moment comes first, though both knew the same log', async () => {
    const store = memoryStore();
    const known = await readLog(store, ACCOUNT);
    const tools = { store, clock: clockAt(MIDNIGHT) };
    expect(await publish(next, known, tools)).toEqual({ outcome: 'published', seq: 1 });
    expect(await publish(later, known, tools)).toEqual({ outcome: 'published', seq: 2 });
    expect(await servedWhole(store, ['next', 'later'])).toBe('later');
  });

  test('supersede the older moment when it comes second', async () => {
    const store = memoryStore();
    const known = await readLog(store, ACCOUNT);
    const tools = { store, clock: clockAt(MIDNIGHT) };
    expect(await publish(later, known, tools)).toEqual({ outcome: 'published', seq: 1 });
    expect(await publish(next, known, tools)).toEqual({ outcome: 'superseded', seq: 1 });
    expect(await servedWhole(store, ['next', 'later'])).toBe('later');
  });

  test('in one second publish only the first', async () => {
    const store = memoryStore();
    const twin = aBuild('twin', next.generated_at + 1n);
    await publishNow(store, next);
    expect(await publishNow(store, twin)).toEqual({ outcome: 'superseded', seq: 1 });
    expect(await publishedIds(store)).toHaveLength(1);
  });

  test('keep the log valid in any order of their calls, and each learns its true outcome', async () => {
    const builds = [
      tiny('a', MIDNIGHT),
      tiny('b', MIDNIGHT + SECOND),
      tiny('c', MIDNIGHT),
      tiny('d', MIDNIGHT),
    ];
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const objects = new Map<string, Uint8Array>();
        const inner = memoryStore(objects);
        const turn = scheduler.scheduleFunction(async () => undefined);
        const store: Store = {
          ...inner,
          create: async (key, body) => turn().then(() => inner.create(key, body)),
          readSmall: async (key, cap) => turn().then(() => inner.readSmall(key, cap)),
        };
        const running = Promise.all(
          builds.map((build) => publish(build, emptyLog(ACCOUNT), { store, clock: clockAt(MIDNIGHT) })),
        );
        await scheduler.waitFor(running);
        const log = await readLog(inner, ACCOUNT);
        expect(log.fault).toBeNull();
        expect(log.entries.at(-1)?.snapshot_id).toBe('20260301T000001Z');
        expect(new Set(log.entries.map((entry) => entry.snapshot_id)).size).toBe(log.entries.length);
        const visible = builds.map((build) => log.entries.some((entry) => entry.nonce === build.nonce));
        expect((await running).map((result) => result.outcome === 'published')).toEqual(visible);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a file that the store gives back otherwise than it was audited (F-24)', () => {
  const names = [
    'snapshot.parquet',
    'snapshot.blocks',
    'costs.parquet',
    'costs.blocks',
    'audit.json',
    'manifest.json',
  ];
  const damages: Record<string, (bytes: Uint8Array) => Uint8Array> = {
    'a flipped bit': (bytes) => bytes.map((byte, at) => (at === bytes.length - 1 ? byte ^ 1 : byte)),
    'a missing byte': (bytes) => bytes.slice(0, -1),
    'an added byte': (bytes) => Buffer.concat([bytes, Buffer.from('x')]),
    'no byte': () => new Uint8Array(),
  };

  test.each(names.flatMap((name) => Object.keys(damages).map((damage) => ({ name, damage }))))(
    'is not published: $name with $damage',
    async ({ name, damage }) => {
      const objects = new Map<string, Uint8Array>();
      const inner = memoryStore(objects);
      await publishNow(inner, old);
      const store: Store = {
        ...inner,
        async create(key, body) {
          const outcome = await inner.create(key, body);
          if (key.endsWith(`/${name}`))
            objects.set(key, damages[damage]?.(objects.get(key) ?? new Uint8Array()) ?? new Uint8Array());
          return outcome;
        },
      };
      const code = name === 'manifest.json' ? 'publish_aborted' : 'upload_differs';
      await expect(publishNow(store, next)).rejects.toMatchObject({ code });
      expect(await servedWhole(inner, ['old', 'next'])).toBe('old');
    },
  );

  test('is not published with the block digests of another file', async () => {
    for (const blocks of [Buffer.alloc(32, 1), Buffer.alloc(64, 1), Buffer.alloc(0)]) {
      const tables = next.tables.map((table) => ({ ...table, content: { ...table.content, blocks } }));
      const publishing = publishNow(memoryStore(), { ...next, tables });
      await expect(publishing).rejects.toMatchObject({ code: 'upload_differs' });
    }
  });
});

test('publishing stops when the collector took the build for an abandoned one', async () => {
  const objects = new Map<string, Uint8Array>();
  await publishNow(memoryStore(new Map()), next);
  const store = memoryStore(objects);
  const manifest = `v1/a/7/s/20260228T235950Z-${next.nonce}/manifest.json`;
  await store.create(manifest, Buffer.from('{"aborted":true}'));
  await expect(publishNow(store, next)).rejects.toMatchObject({ code: 'publish_aborted' });
  expect(await publishedIds(store)).toEqual([]);
});

test('publishing stops when the entry it lost the race to is invalid', async () => {
  const store = memoryStore();
  await store.create('v1/a/7/log/0000000001.json', Buffer.from('{}'));
  const publishing = publish(next, emptyLog(ACCOUNT), { store, clock: clockAt(MIDNIGHT) });
  await expect(publishing).rejects.toMatchObject({ code: 'publish_log_broken' });
});

test('publishing stops when the entry it lost the race to is not found', async () => {
  const store = memoryStore();
  const create: Store['create'] = async (key, body) =>
    key.includes('/log/') ? 'exists' : store.create(key, body);
  const publishing = publishNow({ ...store, create }, next);
  await expect(publishing).rejects.toMatchObject({ code: 'publish_log_broken' });
});

test('publishing reports an unknown outcome when the entry is neither confirmed nor found', async () => {
  const store = memoryStore();
  const create: Store['create'] = async (key, body) => {
    if (key.includes('/log/')) throw new CrossfootError('store_outcome_unknown', 'no answer');
    return await store.create(key, body);
  };
  await expect(publishNow({ ...store, create }, next)).rejects.toMatchObject({
    code: 'store_outcome_unknown',
  });
});

test('publishing claims no success that the store could not make durable', async () => {
  const store = memoryStore();
  const create: Store['create'] = async (key, body) => {
    const outcome = await store.create(key, body);
    // A folder that linked the entry and then failed to flush its directory.
    if (key.includes('/log/')) throw new CrossfootError('store_unavailable', 'not flushed');
    return outcome;
  };
  await expect(publishNow({ ...store, create }, next)).rejects.toMatchObject({ code: 'store_unavailable' });
});

test('publishing sends no entry when the log is broken or the manifest could not be stored', async () => {
  const objects = new Map<string, Uint8Array>();
  const store = memoryStore(objects);
  await expect(publishNow(store, { ...next, nonce: '../x' })).rejects.toMatchObject({
    code: 'manifest_invalid',
  });
  await expect(publishNow(store, { ...next, account_id: 2n ** 53n })).rejects.toMatchObject({
    code: 'manifest_invalid',
  });
  expect(objects.size).toBe(0);
  await store.create('v1/a/7/log/0000000001.json', Buffer.from('{}'));
  await expect(publishNow(store, next)).rejects.toMatchObject({ code: 'publish_log_broken' });
  expect(objects.size).toBe(1);
});
