/** Moved clocks: publishing, reading and pruning on the odd days of the calendar, with clocks that went wrong. */
import { type ErrorCode, isCrossfootError } from '../../../src/errors.ts';
import { millisecondsBehind } from '../../../src/snapshot/builder/build-moment.ts';
import { instantOf } from '../../support/instant-of.ts';
import { manifestKey } from '../../../src/snapshot/format/keys.ts';
import { publish } from '../../../src/snapshot/builder/publish.ts';
import type { LogEntry } from '../../../src/snapshot/format/publish-log.ts';
import { readLog } from '../../../src/snapshot/read/read-log.ts';
import { createReader } from '../../../src/snapshot/read/reader.ts';
import { isSnapshotId, readSnapshotId, snapshotIdOf } from '../../../src/snapshot/format/snapshot-id.ts';
import { contentOfBytes } from '../../../src/snapshot/spool/upload.ts';
import { clockOf, pruneNow } from '../../snapshot/keep/prune-harness.ts';
import { clockedStore } from '../../store/clocked-store.ts';
import { tableOf } from '../audited-files.ts';
import type { Campaign } from '../campaign.ts';
import { type Chance, chanceOf } from '../chance.ts';

const ACCOUNT = 7n;
const SECOND = 1_000_000n;
const MINUTE = 60n * SECOND;
const HOUR = 60n * MINUTE;
const DAY = 24n * HOUR;
const YEAR = 365n * DAY;
/** Longer than clocks may differ by when something is deleted by them. */
const AGREED = 2n * MINUTE;

/** When time is odd somewhere: years end, leap days come and summer time begins and ends, here and there. */
const ODD = [
  '2024-02-29T00:00:00.000000Z',
  '2024-02-29T23:59:59.999999Z',
  '2026-12-31T23:59:59.999999Z',
  '2027-01-01T00:00:00.000000Z',
  '2016-12-31T23:59:59.999999Z', // before a leap second
  '2026-03-29T01:00:00.000000Z', // Berlin, forward
  '2026-10-25T01:00:00.000000Z', // and back
  '2026-03-08T07:00:00.000000Z', // New York, forward
  '2026-11-01T06:00:00.000000Z', // and back
  '2100-02-28T23:59:59.999999Z', // a year without a leap day
].map(instantOf);

/** How far a clock is moved. */
const MOVES = [0n, YEAR, -YEAR, HOUR, -HOUR, 3n * MINUTE, -3n * MINUTE, 366n * DAY, MINUTE];

export const momentsCampaign: Campaign = {
  name: 'moments',
  title:
    'nights on odd days, published, read and pruned by the real code while the clock of the database, of the store or of both is moved by minutes, an hour or a year',
  rows: ['F-34'],
  unit: 'moments',
  times: { short: 500, long: 20_000 },
  async run({ seed, times, signal }) {
    const figures = { published: 0, waited: 0, regressed: 0, disagreed: 0, deleted: 0 };
    const bad: string[] = [];
    let done = 0;
    for (; done < times && !signal.aborted; done += 1) {
      const found = await liveThroughMoment(chanceOf(seed + done), figures);
      bad.push(
        ...found.map((sentence) => `${sentence} (again: --only moments --times 1 --seed ${seed + done})`),
      );
    }
    return { done, bad, figures };
  },
};

async function liveThroughMoment(chance: Chance, figures: Record<string, number>): Promise<string[]> {
  const bad: string[] = [...oddIds(chance)];
  const clock = { now: chance.oneOf(ODD) - 20n * DAY };
  const store = clockedStore(clock);
  const count = (name: string): void => void (figures[name] = (figures[name] ?? 0) + 1);
  /** By the true time: no reader may lose the snapshot before. */
  const promised = new Map<string, bigint>();
  let nights = 0;

  async function night(moved: bigint): Promise<void> {
    const known = await readLog(store, ACCOUNT);
    const told = clock.now + moved;
    try {
      const early_ms = millisecondsBehind(known, told);
      if (early_ms > 0) {
        count('waited');
        if (early_ms > Number((5n * MINUTE + SECOND) / 1000n)) bad.push(`a build waits for ${early_ms} ms`);
        return;
      }
    } catch (error) {
      if (!isCrossfootError(error, 'clock_regressed')) throw error;
      count('regressed');
      return;
    }
    nights += 1;
    const build = await aNight(told, chance.hex(32));
    const { outcome } = await publish(build, known, { store, clock: clockOf({ now: told }) });
    if (outcome !== 'published') bad.push(`a later moment was ${outcome}`);
    count('published');
    const before = known.entries.at(-1);
    // A replaced snapshot is promised for a day from now, and for fourteen days from its own moment.
    if (before !== undefined)
      promised.set(before.prefix, laterOf(promised.get(before.prefix), clock.now + DAY));
    const { entries } = await readLog(store, ACCOUNT);
    const newest = entries.at(-1);
    if (newest !== undefined) promised.set(newest.prefix, clock.now + 14n * DAY);
    if (!ascending(entries)) bad.push('the ids of the log do not ascend');
  }

  async function pruneMoved(database: bigint, storage: bigint, here = 0n): Promise<void> {
    const before = store.keys().length;
    const refused = await pruneNow(
      store,
      clock,
      {},
      {
        readDatabaseClock: async () => clock.now + database,
        readStoreClock: async () => clock.now + storage,
        clock: clockOf({ now: clock.now + here }),
      },
    ).then(
      () => null,
      (error: unknown): ErrorCode | 'broke' => (isCrossfootError(error) ? error.code : 'broke'),
    );
    const clocks = [database, storage, here].toSorted((a, b) => (a < b ? -1 : 1));
    const apart = (clocks[2] ?? 0n) - (clocks[0] ?? 0n);
    if (refused === 'clocks_disagree') count('disagreed');
    else if (refused !== null) bad.push(`pruning ended with ${refused}`);
    if (apart > AGREED && refused !== 'clocks_disagree') bad.push(`clocks ${apart} apart are believed`);
    const gone = before - store.keys().length;
    if (apart > AGREED && gone > 0)
      bad.push(`${gone} objects were deleted by clocks that are ${apart} apart`);
    for (let deleted = 0; deleted < gone; deleted += 1) count('deleted');
    const { entries } = await readLog(store, ACCOUNT);
    const left = entries.filter(({ prefix }) => store.objects.has(manifestKey(prefix)));
    if (left.length < Math.min(2, entries.length)) bad.push(`${left.length} snapshots are left`);
    for (const entry of entries.filter((each) => !left.includes(each))) {
      const end = promised.get(entry.prefix) ?? 0n;
      if (clock.now < end)
        bad.push(`entry ${entry.seq} was deleted ${end - clock.now} before its promised end`);
    }
  }

  for (let day = 0; day < 6; day += 1) {
    await night(0n);
    clock.now += chance.oneOf([DAY, 3n * DAY, 8n * DAY]);
  }
  await night(0n);
  // Right after the last one, so that a clock moved back is behind it: by little, or by much.
  await night(chance.oneOf(MOVES));
  clock.now += DAY;
  await night(0n);
  // Alone, a clock that is wrong is seen; both together may be an hour wrong, and the day of grace takes that up.
  const moved = chance.oneOf(MOVES);
  const both = chance.oneOf([0n, HOUR, -HOUR, -YEAR]);
  await pruneMoved(moved, 0n);
  await pruneMoved(0n, moved);
  await pruneMoved(0n, 0n, moved);
  await pruneMoved(both, both, both);
  const reader = createReader({ store, now: () => clock.now, onFault: ({ message }) => bad.push(message) });
  const latest = await reader.latest(ACCOUNT);
  const { entries } = await readLog(store, ACCOUNT);
  if (latest?.snapshot_id !== entries.at(-1)?.snapshot_id) bad.push('the newest is not the latest');
  if (nights === 0) bad.push('no night was published');
  return bad;
}

/** Ids near an odd second: valid, in order of time, and each a time that a clock shows. */
function oddIds(chance: Chance): readonly string[] {
  const at = chance.oneOf(ODD) + BigInt(chance.below(7_200) - 3_600) * SECOND;
  const ids = [at - SECOND, at, at + SECOND].map(snapshotIdOf);
  const bad: string[] = [];
  if (ids.some((id) => !isSnapshotId(id))) bad.push(`${ids.join(', ')}: one is no id`);
  if (ids.toSorted().join() !== ids.join()) bad.push(`${ids.join(', ')}: not in order of time`);
  if (readSnapshotId(ids[1] ?? '') !== at - (at % SECOND)) bad.push(`${ids[1]}: is another second`);
  const sixty = `${ids[1]?.slice(0, 13)}60Z`;
  if (isSnapshotId(sixty) || isSnapshotId(`${ids[1]?.slice(0, 4)}0230T000000Z`)) bad.push('no such second');
  return bad;
}

async function aNight(generated_at: bigint, nonce: string) {
  return {
    account_id: ACCOUNT,
    nonce,
    night: '2026-03-01',
    once: false,
    builder: 'chaos',
    generated_at,
    changes_from: null,
    pg_snapshot: '1:1:',
    left_out: { cost: [], value: [] },
    versions: { writer: 'crossfoot 0', audit_engine: 'none', postgres: '18' },
    tables: [await tableOf('snapshot', 1, Buffer.from(nonce))],
    files: [{ name: 'audit.json', content: contentOfBytes(Buffer.from('{}')) }],
  };
}

function ascending(entries: readonly LogEntry[]): boolean {
  return entries.every(({ snapshot_id }, index) => snapshot_id > (entries[index - 1]?.snapshot_id ?? ''));
}

function laterOf(one: bigint | undefined, other: bigint): bigint {
  return one !== undefined && one > other ? one : other;
}
