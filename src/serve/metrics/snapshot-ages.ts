/** The ages of the newest snapshots of all accounts with reporting, by state, for alarms about missed nights. */
import { Cache } from '../../cache.ts';
import { FRESH_SECONDS } from '../../snapshot/format/retention.ts';
import type { SnapshotReader } from '../../snapshot/read/snapshot-reader.ts';
import { type Instant, SECOND } from '../../instant.ts';

/**
 * `fresh`: from the last night. `late`: a night was missed. `missing`: no snapshot yet. `broken`: it cannot be read.
 * The metrics have one line for each state and not for each account: a thousand accounts would give a thousand lines.
 */
export const SNAPSHOT_STATES = ['fresh', 'late', 'missing', 'broken'] as const;
type SnapshotState = (typeof SNAPSHOT_STATES)[number];

/** How long the ages are cached: to read them takes one call to the store for each account. */
const KEPT_MS = 60_000;

export interface StateAges {
  readonly accounts: number;
  /** The highest age of a newest snapshot among the accounts in this state; 0 if no account is in it. */
  readonly seconds: number;
  /** How many of the accounts have a newest snapshot that is retracted. */
  readonly retracted: number;
}

interface AgeTools {
  readonly accounts: () => Promise<readonly bigint[]>;
  readonly snapshots: Pick<SnapshotReader, 'latest'>;
  readonly now: () => Instant;
  /** Milliseconds of a clock that only goes forward. */
  readonly clock: () => number;
}

/** The ages by state; read from the store at most once a minute. */
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
    const { state, seconds = 0, isRetracted = false } = await ageOf(account_id, snapshots, now);
    const before = ages[state];
    ages[state] = {
      accounts: before.accounts + 1,
      seconds: Math.max(before.seconds, seconds),
      retracted: before.retracted + (isRetracted ? 1 : 0),
    };
  }
  return ages;
}

interface Age {
  readonly state: SnapshotState;
  readonly seconds?: number;
  readonly isRetracted?: boolean;
}

async function ageOf(
  account_id: bigint,
  snapshots: Pick<SnapshotReader, 'latest'>,
  now: () => Instant,
): Promise<Age> {
  try {
    const snapshot = await snapshots.latest(account_id);
    if (snapshot === null) return { state: 'missing' };
    const seconds = Number((now() - snapshot.generated_at) / SECOND);
    const state = seconds <= FRESH_SECONDS ? 'fresh' : 'late';
    return { state, seconds, isRetracted: snapshot.retraction !== null };
  } catch {
    return { state: 'broken' }; // the reader has logged why
  }
}

function none(): Record<SnapshotState, StateAges> {
  const empty = { accounts: 0, seconds: 0, retracted: 0 };
  return { fresh: empty, late: empty, missing: empty, broken: empty };
}
