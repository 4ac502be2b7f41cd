/**
 * Scrubbing: reading what is stored before somebody needs it. A snapshot that is wrong is read again, over new
 * connections; one that stays wrong is put into quarantine, which servers refuse its files by, and told to whoever
 * watches. It changes no file and may run anywhere, beside builders, pruning and itself.
 *
 *   1. per account: what stands in the store, then log and marks; broken ones are told and the account left
 *   2. what is due of all accounts: the newest first, then whatever was not read for longest
 *   3. one snapshot after the other, at a steady rate, until the budget is spent; the rest is due the next time
 */
import { untilAnswered } from '../../store/retry.ts';
import type { Store } from '../../store/store.ts';
import { readLog } from '../read/read-log.ts';
import { readMarks } from '../read/read-marks.ts';
import { byUrgency, type DueSnapshot, dueSnapshots } from './scrub-plan.ts';
import { scrubSnapshot, type SnapshotScrubTools } from './scrub-snapshot.ts';
import { stoppablePace, stoppableStore } from '../../store/stoppable.ts';
import { type StoredAccount, storedAccounts } from '../read/stored-builds.ts';

export interface ScrubJob {
  /** Null: every account that has anything in the store. */
  readonly account_id: bigint | null;
  /** So much is read, and the snapshot to its end that it is reached in. */
  readonly budget_bytes: number;
  /** Tells what is due, and reads none of it. */
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

export interface ScrubTools extends Omit<SnapshotScrubTools, 'store'> {
  /** Called for each snapshot before it is read, in a dry run too. */
  readonly onDue: (snapshot: DueSnapshot) => void;
  /** An account or snapshot that could not be looked at; the others go on. */
  readonly onFault: (account_id: bigint, fault: unknown) => void;
}

export interface Scrubbed {
  readonly checked: number;
  readonly bytes: number;
  readonly damaged: number;
  /** Due, and left for the next time. */
  readonly left: number;
  readonly faults: number;
}

/** Reads what is due, and says what came of it; throws the signal's reason when it was stopped. */
export async function scrub(job: ScrubJob, lent: ScrubTools): Promise<Scrubbed> {
  const tools: ScrubTools = {
    ...lent,
    openStore: async () => stoppableStore(await lent.openStore(), job.signal),
    pace: stoppablePace(lent.pace, job.signal),
  };
  const store = await tools.openStore();
  const due: DueSnapshot[] = [];
  let faults = 0;
  const noting = async (account_id: bigint, work: () => Promise<void>): Promise<void> => {
    job.signal.throwIfAborted();
    await work().catch((fault: unknown) => {
      job.signal.throwIfAborted(); // what was cut off says only that it was
      faults += 1;
      tools.onFault(account_id, fault);
    });
  };
  for await (const account of storedAccounts(store, job.account_id)) {
    await noting(account.account_id, async () => void due.push(...(await dueOf(account, store, tools))));
  }
  due.sort(byUrgency);
  const done = { checked: 0, bytes: 0, damaged: 0 };
  for (const snapshot of due) {
    if (done.bytes >= job.budget_bytes) break;
    tools.onDue(snapshot);
    done.checked += 1;
    if (job.dryRun) continue;
    await noting(snapshot.account_id, async () => {
      const { bytes, damaged } = await scrubSnapshot(snapshot, { ...tools, store });
      done.bytes += bytes;
      if (damaged.length > 0) done.damaged += 1;
    });
  }
  return { ...done, left: due.length - done.checked, faults };
}

async function dueOf(
  account: StoredAccount,
  store: Store,
  { pace, now }: ScrubTools,
): Promise<readonly DueSnapshot[]> {
  const log = await untilAnswered(pace, () => readLog(store, account.account_id));
  const marks = await untilAnswered(pace, () => readMarks(store, account.account_id));
  if (log.fault !== null) throw log.fault;
  if (marks.fault !== null) throw marks.fault;
  return dueSnapshots(account, { log, marks }, now);
}
