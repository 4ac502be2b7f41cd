/**
 * Deletes expired snapshots and abandoned builds that were never published. It may be stopped at any step, run again, and
 * run at the same time as builds and as another prune. It keeps the newest snapshot, pinned snapshots, and at least two
 * undamaged ones. `removals.ts` decides.
 *
 *   1. compare the clocks; if they disagree, delete nothing
 *   2. list the store, then read the log and the marks, so that they include what was published or pinned after the
 *      listing
 *   3. plan the removals; carry none out unless the newest snapshot is whole
 *   4. for an unpublished build, write the tombstone first; for a published one, first mark it as removed; a removed
 *      snapshot can no longer be pinned. Then delete the manifest before the other files: a half-deleted snapshot must
 *      not look whole. Stored comparisons go before their snapshots, and their record goes first. Parts of ranges have no
 *      order, because no reader opens them
 */
import { untilAnswered } from '../../store/retry.ts';
import { appendMark, type MarkTools } from './append-mark.ts';
import { earliestOf, readClocks, requireAgreement } from '../../clock-offsets.ts';
import { requireWholeHead } from './head-check.ts';
import { comparisonKey, manifestKey } from '../format/keys.ts';
import { readLog } from '../read/read-log.ts';
import { readMarks } from '../read/read-marks.ts';
import {
  type Kept,
  keptAfter,
  keptOfBoth,
  mayGoSince,
  overtaken,
  plannedRemovals,
  type Published,
  type Removal,
} from './removals.ts';
import type { CheckHead } from '../read/seen-heads.ts';
import { snapshotStatus } from '../format/snapshot-status.ts';
import { storedAccounts, type StoredAccount } from '../read/stored-builds.ts';
import { fenceOff } from './tombstone.ts';
import type { Instant } from '../../instant.ts';

export interface PruneJob {
  /** Null: every account that has objects in the store. */
  readonly account_id: bigint | null;
  /** True: report the plan and change nothing. */
  readonly dryRun: boolean;
}

export interface PruneTools extends MarkTools {
  /** The machine and process that delete, for the marks. */
  readonly by: string;
  /** The database's clock, which dates snapshots and their expiry. */
  readonly readDatabaseClock: () => Promise<Instant>;
  /** The store's own clock, which dates its objects. */
  readonly readStoreClock: () => Promise<Instant>;
  readonly checkHead?: CheckHead;
  /** Called for each removal, in a dry run too. */
  readonly onRemoval: (account_id: bigint, removal: Removal) => void;
  /** Called for an account whose pruning ended with a fault; the other accounts continue. */
  readonly onFault: (account_id: bigint, fault: unknown) => void;
}

export interface Pruned {
  readonly accounts: number;
  readonly removed: number;
  /** Number of accounts whose pruning ended with a fault. */
  readonly faults: number;
  /** What stays of the accounts without a fault. */
  readonly kept: Kept;
}

/** Deletes what may be deleted. Throws `clocks_disagree`, and deletes nothing, if the clocks differ too much. */
export async function prune(job: PruneJob, tools: PruneTools): Promise<Pruned> {
  const clocks = await readClocks({ ...tools, readOwnClock: tools.clock.now });
  requireAgreement(clocks, 'deleted');
  // Use the earliest clock: a file is then deleted only if all clocks have reached its time.
  const now = earliestOf(clocks);
  const pruned = { accounts: 0, removed: 0, faults: 0 };
  let kept: Kept = { snapshots: 0, pinned: 0, next_at: null, unpublished: [] };
  for await (const account of storedAccounts(tools.store, job.account_id)) {
    pruned.accounts += 1;
    try {
      const done = await pruneAccount(account, now, job.dryRun, tools);
      pruned.removed += done.removed;
      kept = keptOfBoth(kept, done.kept);
    } catch (fault) {
      pruned.faults += 1;
      tools.onFault(account.account_id, fault);
    }
  }
  return { ...pruned, kept };
}

async function pruneAccount(
  account: StoredAccount,
  now: Instant,
  dryRun: boolean,
  tools: PruneTools,
): Promise<Pick<Pruned, 'kept' | 'removed'>> {
  const { store, clock } = tools;
  const log = await untilAnswered(clock, () => readLog(store, account.account_id));
  // If the store was emptied and rebuilt, its new log does not name the older files: do not delete them.
  await tools.checkHead?.(log);
  const marks = await untilAnswered(clock, () => readMarks(store, account.account_id));
  const published = { log, marks };
  const removals = await plannedRemovals(account, published, now, tools);
  const kept = keptAfter(removals, published, now, account.builds);
  if (removals.length === 0) return { removed: 0, kept };
  await requireWholeHead(log, now, tools);
  let removed = 0;
  for (const removal of removals) {
    const pinnedMeanwhile =
      removal.why === 'expired' && !dryRun && !(await markRemoved(removal, published, now, tools));
    // A pin came after the plan: keep the snapshot.
    if (pinnedMeanwhile) continue;
    tools.onRemoval(account.account_id, removal);
    if (!dryRun) await remove(removal, published, now, tools);
    removed += 1;
  }
  return { removed, kept };
}

/**
 * Marks the snapshot as removed; false if a pin came first. If an earlier prune marked it and stopped, the result is
 * true.
 */
async function markRemoved(
  { snapshot_id }: Removal,
  { log, marks: planned }: Published,
  now: Instant,
  tools: PruneTools,
): Promise<boolean> {
  const entry = log.entries.find((one) => one.snapshot_id === snapshot_id);
  const marks = await appendMark(
    log.account_id,
    (known) => {
      const free = entry !== undefined && mayGoSince({ log, marks: known }, entry, now) !== null;
      if (!free || snapshotStatus(known, snapshot_id).removed) return null;
      return { kind: 'removed', snapshot_id, at: now, by: tools.by };
    },
    tools,
    planned,
  );
  return snapshotStatus(marks, snapshot_id).removed;
}

async function remove(
  removal: Removal,
  published: Published,
  now: Instant,
  { store, clock }: Pick<PruneTools, 'store' | 'clock'>,
): Promise<void> {
  const drop = (key: string): Promise<void> => untilAnswered(clock, () => store.delete(key));
  const first = removal.why === 'comparison' ? comparisonKey(removal.prefix) : manifestKey(removal.prefix);
  const others = removal.keys.filter((key) => key !== first);
  if (removal.why === 'parts') {
    for (const key of removal.keys) await drop(key);
    return;
  }
  if (removal.why === 'expired' || removal.why === 'comparison') {
    await drop(first);
    for (const key of others) await drop(key);
    return;
  }
  if (removal.why === 'tombstone') return await drop(first);
  const fence = await fenceOff(store, clock, removal.prefix);
  // The build wrote its manifest meanwhile, so it is running. Keep it, unless a newer snapshot was published:
  // then this build can no longer be published.
  if (fence === 'manifest' && !overtaken(removal, published, now)) return;
  for (const key of others) await drop(key);
  if (fence === 'manifest') await drop(first);
}
