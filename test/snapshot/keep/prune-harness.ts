/** Pruning as the tests run it: one clock for database, storage and waiting, unless told otherwise. */
import { prune, type PruneJob, type PruneTools, type Pruned } from '../../../src/snapshot/keep/prune.ts';
import type { Store } from '../../../src/store/store.ts';
import type { Clock } from '../../../src/clock.ts';

export interface ToldPrune extends Pruned {
  /** `expired 20260301T000000Z`, in the order they were told. */
  readonly told: readonly string[];
  readonly faults_told: readonly unknown[];
}

let nonces = 0;

/** Who marks, and a nonce that no other mark of the process has. */
export function marking() {
  return { by: 'test', newNonce: () => String((nonces += 1)).padStart(32, '0') };
}

export function clockOf(clock: { now: bigint }): Clock {
  return {
    now: () => clock.now,
    random: () => 0.5,
    // Waiting for an answer takes no virtual time: the moments of a test stay those it names.
    sleep: () => Promise.resolve(),
  };
}

export async function pruneNow(
  store: Store,
  clock: { now: bigint },
  job: Partial<PruneJob> = {},
  tools: Partial<PruneTools> = {},
): Promise<ToldPrune> {
  const told: string[] = [];
  const faults_told: unknown[] = [];
  const pruned = await prune(
    { account_id: null, dryRun: false, ...job },
    {
      store,
      clock: clockOf(clock),
      ...marking(),
      readDatabaseClock: () => Promise.resolve(clock.now),
      readStoreClock: () => Promise.resolve(clock.now),
      onRemoval: (_, { why, snapshot_id }) => told.push(`${why} ${snapshot_id}`),
      onFault: (_, fault) => faults_told.push(fault),
      ...tools,
    },
  );
  return { ...pruned, told, faults_told };
}
