/**
 * Taking away what nobody may read any more: expired snapshots and builds that were never published. Safe to stop at
 * any step and to run twice, beside builders and beside itself.
 *
 *   1. the clocks agree, else nothing is deleted at all
 *   2. what stands in the store, then the log: what is published in between is in the log that is read
 *   3. the plan; nothing of it is carried out unless the newest snapshot is whole
 *   4. an unpublished build is fenced off first; of a published one the manifest goes first, so that no half-deleted
 *      snapshot looks like a whole one
 */
import { CrossfootError } from '../errors.ts';
import { type Pace, untilAnswered } from '../store/retry.ts';
import type { Store } from '../store/store.ts';
import { demandWholeHead } from './head-check.ts';
import { manifestKey } from './keys.ts';
import type { PublishLog } from './publish-log.ts';
import { readLog } from './read-log.ts';
import { overtaken, plannedRemovals, type Removal } from './removals.ts';
import { storedAccounts, type StoredAccount } from './stored-builds.ts';
import { fenceOff } from './tombstone.ts';

/** More than two synchronised machines ever differ by, far less than the day of grace. */
const CLOCKS_AGREE_MICROSECONDS = 120_000_000n;

export interface PruneJob {
  /** Null: every account that has anything in the store. */
  readonly account_id: bigint | null;
  /** Plans and tells, and touches nothing. */
  readonly dryRun: boolean;
}

export interface PruneTools {
  readonly store: Store;
  readonly pace: Pace;
  /** The database's clock: the one that snapshots and their promises were dated by. */
  readonly readDatabaseClock: () => Promise<bigint>;
  /** The storage's own clock: the one that its objects are dated by. */
  readonly readStoreClock: () => Promise<bigint>;
  /** Called before each removal, in a dry run too. */
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
  const now = await agreedNow(tools);
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

async function agreedNow({ readDatabaseClock, readStoreClock }: PruneTools): Promise<bigint> {
  const before = await readDatabaseClock();
  const stored = await readStoreClock();
  const now = await readDatabaseClock();
  const ahead = stored > now + CLOCKS_AGREE_MICROSECONDS;
  if (!ahead && stored >= before - CLOCKS_AGREE_MICROSECONDS) return now;
  const seconds = Number((stored - now) / 1_000_000n);
  throw new CrossfootError(
    'clocks_disagree',
    `The store's clock is ${Math.abs(seconds)} s ${ahead ? 'ahead of' : 'behind'} the database's; nothing was deleted.`,
    {
      hint: 'Set both clocks by the same time service; they may differ by two minutes.',
      data: { expected: String(now), found: String(stored) },
    },
  );
}

async function pruneAccount(
  account: StoredAccount,
  now: bigint,
  dryRun: boolean,
  tools: PruneTools,
): Promise<number> {
  const log = await untilAnswered(tools.pace, () => readLog(tools.store, account.account_id));
  const removals = await plannedRemovals(account, log, now, tools);
  if (removals.length === 0) return 0;
  await demandWholeHead(log, now, tools);
  for (const removal of removals) {
    tools.onRemoval(account.account_id, removal);
    if (!dryRun) await remove(removal, log, tools);
  }
  return removals.length;
}

async function remove(removal: Removal, log: PublishLog, { store, pace }: PruneTools): Promise<void> {
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
  if (fence === 'manifest' && !overtaken(removal, log)) return;
  for (const key of others) await drop(key);
  if (fence === 'manifest') await drop(manifest);
}
