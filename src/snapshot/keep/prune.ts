/**
 * Taking away what nobody may read any more: expired snapshots and builds that were never published. Safe to stop at
 * any step and to run twice, beside builders and beside itself.
 *
 *   1. the clocks agree, else nothing is deleted at all
 *   2. what stands in the store, then log and marks: what is published or pinned in between is in those that are read
 *   3. the plan; nothing of it is carried out unless the newest snapshot is whole
 *   4. an unpublished build is fenced off first; a published one is marked as removed, unless a pin came first, so that
 *      no pin comes any more; then its manifest goes first, so that no half-deleted snapshot looks like a whole one
 */
import { untilAnswered } from '../../store/retry.ts';
import { appendMark, type MarkTools } from './append-mark.ts';
import { earliestOf, readClocks, requireAgreement } from '../../clock-offsets.ts';
import { requireWholeHead } from './head-check.ts';
import { instant } from '../../time.ts';
import { manifestKey } from '../format/keys.ts';
import { readLog } from '../read/read-log.ts';
import { readMarks } from '../read/read-marks.ts';
import { mayGoSince, overtaken, plannedRemovals, type Published, type Removal } from './removals.ts';
import type { CheckHead } from '../read/seen-heads.ts';
import { standingOf } from '../format/standing.ts';
import { storedAccounts, type StoredAccount } from '../read/stored-builds.ts';
import { fenceOff } from './tombstone.ts';

export interface PruneJob {
  /** Null: every account that has anything in the store. */
  readonly account_id: bigint | null;
  /** Plans and tells, and touches nothing. */
  readonly dryRun: boolean;
}

export interface PruneTools extends MarkTools {
  /** Which machine and process deletes, for the marks. */
  readonly by: string;
  /** The database's clock: the one that snapshots and their promises were dated by. */
  readonly readDatabaseClock: () => Promise<bigint>;
  /** The storage's own clock: the one that its objects are dated by. */
  readonly readStoreClock: () => Promise<bigint>;
  readonly checkHead?: CheckHead;
  /** Called for each removal, in a dry run too. */
  readonly onRemoval: (account_id: bigint, removal: Removal) => void;
  /** An account that is left alone, and why; the others go on. */
  readonly onFault: (account_id: bigint, fault: unknown) => void;
}

export interface Pruned {
  readonly accounts: number;
  readonly removed: number;
  /** Accounts that were left alone because of a fault. */
  readonly faults: number;
}

/** Removes what may go; throws `clocks_disagree` and removes nothing when the clocks cannot be trusted. */
export async function prune(job: PruneJob, tools: PruneTools): Promise<Pruned> {
  const clocks = await readClocks({ ...tools, readOwnClock: tools.pace.now });
  requireAgreement(clocks, 'deleted');
  // Due by every clock: what is due by one clock alone stays.
  const now = earliestOf(clocks);
  const pruned = { accounts: 0, removed: 0, faults: 0 };
  for await (const account of storedAccounts(tools.store, job.account_id)) {
    pruned.accounts += 1;
    try {
      pruned.removed += await pruneAccount(account, now, job.dryRun, tools);
    } catch (fault) {
      pruned.faults += 1;
      tools.onFault(account.account_id, fault);
    }
  }
  return pruned;
}

async function pruneAccount(
  account: StoredAccount,
  now: bigint,
  dryRun: boolean,
  tools: PruneTools,
): Promise<number> {
  const { store, pace } = tools;
  const log = await untilAnswered(pace, () => readLog(store, account.account_id));
  // A store that was emptied and rebuilt names files of before in no entry: they are not to be collected.
  await tools.checkHead?.(log);
  const marks = await untilAnswered(pace, () => readMarks(store, account.account_id));
  const published = { log, marks };
  const removals = await plannedRemovals(account, published, now, tools);
  if (removals.length === 0) return 0;
  await requireWholeHead(log, now, tools);
  let removed = 0;
  for (const removal of removals) {
    const spared = removal.why === 'expired' && !dryRun && !(await claim(removal, published, now, tools));
    if (spared) continue;
    tools.onRemoval(account.account_id, removal);
    if (!dryRun) await remove(removal, published, now, tools);
    removed += 1;
  }
  return removed;
}

/** Marks the snapshot as removed; false when a pin came first. Marks of an earlier, unfinished removal still hold. */
async function claim(
  { snapshot_id }: Removal,
  { log, marks: planned }: Published,
  now: bigint,
  tools: PruneTools,
): Promise<boolean> {
  const entry = log.entries.find((one) => one.snapshot_id === snapshot_id);
  const marks = await appendMark(
    log.account_id,
    (known) => {
      const free = entry !== undefined && mayGoSince({ log, marks: known }, entry, now) !== null;
      if (!free || standingOf(known, snapshot_id).removed) return null;
      return { kind: 'removed', snapshot_id, at: instant(now), by: tools.by };
    },
    tools,
    planned,
  );
  return standingOf(marks, snapshot_id).removed;
}

async function remove(
  removal: Removal,
  published: Published,
  now: bigint,
  { store, pace }: Pick<PruneTools, 'store' | 'pace'>,
): Promise<void> {
  const drop = (key: string): Promise<void> => untilAnswered(pace, () => store.delete(key));
  const manifest = manifestKey(removal.prefix);
  const others = removal.keys.filter((key) => key !== manifest);
  if (removal.why === 'expired') {
    await drop(manifest);
    for (const key of others) await drop(key);
    return;
  }
  if (removal.why === 'tombstone') return await drop(manifest);
  const fence = await fenceOff(store, pace, removal.prefix);
  // A manifest that came while we looked: its build lives, and only a newer snapshot can keep it from being published.
  if (fence === 'manifest' && !overtaken(removal, published, now)) return;
  for (const key of others) await drop(key);
  if (fence === 'manifest') await drop(manifest);
}
