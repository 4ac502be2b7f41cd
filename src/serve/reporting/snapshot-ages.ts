/** How old the newest snapshots are, over all accounts that report: what an alarm for missed nights looks at. */
import { Cache } from '../../cache.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';

/**
 * `fresh`: of the last night. `late`: a night was missed. `missing`: there is none yet. `broken`: it cannot be read.
 * States and not accounts, so that a thousand accounts are still four lines.
 */
export const SNAPSHOT_STATES = ['fresh', 'late', 'missing', 'broken'] as const;
type SnapshotState = (typeof SNAPSHOT_STATES)[number];

/** A night and two hours, in which all accounts are built. */
const FRESH_SECONDS = 26 * 60 * 60;
const MICROSECONDS_PER_SECOND = 1_000_000n;
/** An account costs a call to the store. */
const KEPT_MS = 60_000;

export interface StateAges {
  readonly accounts: number;
  /** Of the oldest of them; 0 when there is none. */
  readonly seconds: number;
}

interface AgeTools {
  readonly accounts: () => Promise<readonly bigint[]>;
  readonly snapshots: Pick<SnapshotReader, 'latest'>;
  /** Microseconds since 1970. */
  readonly now: () => bigint;
  /** Milliseconds of a clock that only goes forward. */
  readonly clock: () => number;
}

/** By state; asked of the store at most once a minute. */
export function watchSnapshotAges(
  tools: AgeTools,
): () => Promise<Readonly<Record<SnapshotState, StateAges>>> {
  const cache = new Cache<'ages', Record<SnapshotState, StateAges>>({
    max_entries: 1,
    max_age: KEPT_MS,
    clock: tools.clock,
  });
  return () => cache.get('ages', () => readAges(tools));
}

async function readAges({ accounts, snapshots, now }: AgeTools): Promise<Record<SnapshotState, StateAges>> {
  const ages = none();
  for (const account_id of await accounts()) {
    const [state, seconds] = await ageOf(account_id, snapshots, now);
    const { accounts: before, seconds: oldest } = ages[state];
    ages[state] = { accounts: before + 1, seconds: Math.max(oldest, seconds) };
  }
  return ages;
}

async function ageOf(
  account_id: bigint,
  snapshots: Pick<SnapshotReader, 'latest'>,
  now: () => bigint,
): Promise<readonly [state: SnapshotState, seconds: number]> {
  try {
    const snapshot = await snapshots.latest(account_id);
    if (snapshot === null) return ['missing', 0];
    const seconds = Number((now() - snapshot.generated_at) / MICROSECONDS_PER_SECOND);
    return [seconds <= FRESH_SECONDS ? 'fresh' : 'late', seconds];
  } catch {
    return ['broken', 0]; // the reader has logged why
  }
}

function none(): Record<SnapshotState, StateAges> {
  const nobody = { accounts: 0, seconds: 0 };
  return { fresh: nobody, late: nobody, missing: nobody, broken: nobody };
}
