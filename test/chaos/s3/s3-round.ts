/**
 * A round of publishes into one scripted bucket whose requests are spoiled, and then a look at what truly stands in it:
 * every visible snapshot whole, every acknowledged one visible, nothing visible that was said not to be.
 */
import { type ErrorCode, isCrossfootError } from '../../../src/errors.ts';
import { publish, type AuditedBuild } from '../../../src/snapshot/builder/publish.ts';
import type { PublishResult } from '../../../src/snapshot/builder/append-entry.ts';
import { sha256Hex } from '../../../src/snapshot/format/digest.ts';
import { readLog } from '../../../src/snapshot/read/read-log.ts';
import { createReader } from '../../../src/snapshot/read/reader.ts';
import type { Clock } from '../../../src/clock.ts';
import { untilAnswered } from '../../../src/store/retry.ts';
import type { Store } from '../../../src/store/store.ts';
import { openScripted } from '../../store/bucket-harness.ts';
import { type ScriptedS3, startScriptedS3 } from '../../support/scripted-s3.ts';
import type { Chance } from '../chance.ts';
import { weatherOf } from './s3-weather.ts';

type Files = Pick<AuditedBuild, 'tables' | 'files'>;

/** 2026-03-01T00:00:00Z: day 56 × 365 + 14 leap days + 59 = 20,513 since 1970. */
const MIDNIGHT = 20_513n * 86_400_000_000n;
const SECOND = 1_000_000n;
/** Each publishes for an account of its own, one after the other; together they hide the waits of the SDK. */
const LANES = 16;
const MAX_TRIES = 8;
const SPOILED = 0.2;
/** What a spoiled answer may end a try with. */
const FORESEEN: readonly ErrorCode[] = [
  'publish_aborted',
  'publish_log_broken',
  'store_checksum_mismatch',
  'store_object_missing',
  'store_outcome_unknown',
  'store_unavailable',
  'upload_differs',
];

export interface Round {
  readonly bad: string[];
  published: number;
  superseded: number;
  /** Ended without a snapshot after eight tries. */
  given_up: number;
  tries: number;
  readonly met: Record<string, number>;
}

interface Told {
  readonly build: AuditedBuild;
  /** Null after an error: then it may be published or not. */
  readonly result: PublishResult | null;
}

/** Publishes so many builds, in pairs now and then, and looks at what came of them. */
export async function publishRound(files: Files, publishes: number, chance: Chance): Promise<Round> {
  const round: Round = { bad: [], published: 0, superseded: 0, given_up: 0, tries: 0, met: {} };
  await using s3 = await startScriptedS3();
  s3.bucket.pageKeys = 3;
  // Long enough for a busy machine, short enough to wait for a bucket that says nothing.
  const store = openScripted(s3, { idle_ms: 2_000 });
  const spoil = weatherOf(chance, SPOILED, round.met);
  s3.script((request) => {
    if (request.query.has('list-type')) hideSome(s3, chance);
    return spoil(request);
  });
  const told: Told[] = [];
  let left = publishes;
  const lane = async (account_id: bigint): Promise<void> => {
    for (let moment = MIDNIGHT; left > 0; moment += 60n * SECOND) {
      const together = Math.min(left, chance.happens(0.2) ? 2 : 1);
      left -= together;
      const racers = Array.from({ length: together }, () => moment + BigInt(chance.below(3)) * SECOND);
      await Promise.all(racers.map((at) => publishOne(account_id, at)));
    }
  };
  async function publishOne(account_id: bigint, at: bigint): Promise<void> {
    let build = buildOf(files, account_id, at, chance);
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      round.tries += 1;
      const result = await tryOnce(store, build, chance).catch((error: unknown) => {
        if (isCrossfootError(error) && FORESEEN.includes(error.code)) return null;
        round.bad.push(`account ${account_id}: ${String(error)}`);
        return null;
      });
      told.push({ build, result });
      if (result !== null) {
        round[result.outcome === 'published' ? 'published' : 'superseded'] += 1;
        return;
      }
      // As a job does, with a new nonce and moment; or the very same again, which must be as safe.
      if (chance.happens(0.5)) build = buildOf(files, account_id, at + BigInt(tries) * SECOND, chance);
    }
    round.given_up += 1;
  }
  await Promise.all(Array.from({ length: LANES }, (_, number) => lane(BigInt(number + 1))));
  s3.script(() => null);
  s3.bucket.hidden.clear();
  // By the keys that the store knows: its own folder in the bucket stands before them.
  const stored = new Map(
    [...s3.bucket.objects].map(([key, { body }]) => [key.slice(key.indexOf('v1/')), body]),
  );
  for (let number = 1; number <= LANES; number += 1) {
    round.bad.push(...(await lookAt(stored, store, BigInt(number), told)));
  }
  return round;
}

/** A listing that is older than the bucket, or lacks its middle. */
function hideSome({ bucket }: ScriptedS3, chance: Chance): void {
  bucket.hidden.clear();
  if (!chance.happens(0.3)) return;
  for (const key of bucket.objects.keys()) if (chance.happens(0.5)) bucket.hidden.add(key);
}

/** All fourteen tables now and then, two of them else: what befalls a table befalls each. */
function buildOf(files: Files, account_id: bigint, at: bigint, chance: Chance): AuditedBuild {
  const first = chance.below(files.tables.length - 1);
  return {
    account_id,
    nonce: chance.hex(32),
    night: '2026-03-01',
    once: false,
    builder: 'chaos',
    generated_at: at,
    changes_from: null,
    pg_snapshot: '1:1:',
    left_out: { cost: [], value: [] },
    versions: { writer: 'crossfoot 0', audit_engine: 'duckdb', postgres: '18' },
    tables: chance.happens(0.04) ? files.tables : files.tables.slice(first, first + 2),
    files: files.files,
  };
}

async function tryOnce(store: Store, build: AuditedBuild, chance: Chance): Promise<PublishResult> {
  let now = build.generated_at + 60n * SECOND;
  const clock: Clock = {
    now: () => now,
    // Not awaited: it ends in its own time.
    sleep: async (ms) => void (now += BigInt(Math.round(ms * 1000))),
    random: chance.next,
  };
  const known = await untilAnswered(clock, () => readLog(store, build.account_id));
  return await publish(build, known, { store, clock });
}

async function lookAt(
  stored: ReadonlyMap<string, Buffer>,
  store: Store,
  account_id: bigint,
  told: readonly Told[],
): Promise<string[]> {
  const bad: string[] = [];
  const log = await readLog(store, account_id);
  if (log.fault !== null) bad.push(log.fault.message);
  const own = told.filter(({ build }) => build.account_id === account_id);
  for (const entry of log.entries) {
    const build = own.find((each) => each.build.nonce === entry.nonce)?.build;
    const manifest = stored.get(`${entry.prefix}/manifest.json`);
    const complete =
      build !== undefined &&
      manifest !== undefined &&
      sha256Hex(manifest) === entry.manifest_sha256 &&
      build.tables.every(({ name, content }) => {
        const file = stored.get(`${entry.prefix}/${name}.parquet`);
        const blocks = stored.get(`${entry.prefix}/${name}.blocks`);
        return file && sha256Hex(file) === content.sha256 && blocks?.equals(content.blocks) === true;
      }) &&
      build.files.every(({ name, content }) => {
        const file = stored.get(`${entry.prefix}/${name}`);
        return file && sha256Hex(file) === content.sha256;
      });
    if (!complete) bad.push(`account ${account_id}: entry ${entry.seq} is visible and not whole`);
  }
  for (const { build, result } of own) {
    if (result === null) continue;
    const visible = log.entries.findIndex(({ nonce }) => nonce === build.nonce) + 1;
    const right = result.outcome === 'published' ? visible === result.seq : visible === 0;
    if (!right) bad.push(`account ${account_id}: ${build.nonce} was said to be ${result.outcome}`);
  }
  const latest = await createReader({ store, now: () => MIDNIGHT, onFault: () => undefined }).latest(
    account_id,
  );
  const newest = log.entries.at(-1)?.snapshot_id;
  if (latest?.snapshot_id !== newest) bad.push(`account ${account_id}: the newest is not served`);
  return bad;
}
