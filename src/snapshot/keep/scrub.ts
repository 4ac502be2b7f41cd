/**
 * The scrub reads stored snapshots to find damage early. A snapshot found damaged is read again over new connections. If
 * it stays damaged, it is quarantined, so that servers refuse its files, and reported. A scrub changes no file. It may
 * run at the same time as builds, prune and another scrub.
 *
 *   1. for each account, list the store, then read log and marks; if these are broken, report it and skip the account
 *   2. sort the due snapshots of all accounts: the newest of each first, then those not read for longest
 *   3. read one snapshot after the other, at a steady rate, until the budget is spent; the rest is due the next time
 */
import { untilAnswered } from '../../store/retry.ts';
import type { Store } from '../../store/store.ts';
import { readLog } from '../read/read-log.ts';
import { readMarks } from '../read/read-marks.ts';
import { byUrgency, type DueSnapshot, dueSnapshots } from './scrub-plan.ts';
import { scrubComparisons } from './scrub-comparisons.ts';
import { scrubSnapshot, type SnapshotScrubTools } from './scrub-snapshot.ts';
import { stoppableClock, stoppableStore } from '../../store/stoppable.ts';
import { type StoredAccount, storedAccounts } from '../read/stored-builds.ts';

export interface ScrubJob {
  /** Null: every account that has objects in the store. */
  readonly account_id: bigint | null;
  /** Which snapshots are read: those that are due, all of them now, or these now. */
  readonly which?: 'due' | 'all' | readonly string[];
  /** After this many bytes no further snapshot is begun. */
  readonly budget_bytes: number;
  /** True: report what is due and read no file. */
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

export interface ScrubTools extends Omit<SnapshotScrubTools, 'store'> {
  /** Called for each snapshot before it is read, in a dry run too. */
  readonly onDue: (snapshot: DueSnapshot) => void;
  /** Called for an account or snapshot that could not be read; the others continue. */
  readonly onFault: (account_id: bigint, fault: unknown) => void;
}

export interface Scrubbed {
  readonly checked: number;
  readonly bytes: number;
  readonly damaged: number;
  /** Number of due snapshots that were not read: they are due the next time. */
  readonly left: number;
  readonly faults: number;
}

/** Reads the due snapshots and returns the counts; throws the signal's reason if it was stopped. */
export async function scrub(job: ScrubJob, lent: ScrubTools): Promise<Scrubbed> {
  const tools: ScrubTools = {
    ...lent,
    openStore: async () => stoppableStore(await lent.openStore(), job.signal),
    clock: stoppableClock(lent.clock, job.signal),
  };
  const store = await tools.openStore();
  const due: DueSnapshot[] = [];
  let faults = 0;
  const noting = async (account_id: bigint, work: () => Promise<void>): Promise<void> => {
    job.signal.throwIfAborted();
    await work().catch((fault: unknown) => {
      job.signal.throwIfAborted(); // after a stop, the step's own error says nothing more
      faults += 1;
      tools.onFault(account_id, fault);
    });
  };
  for await (const account of storedAccounts(store, job.account_id)) {
    await noting(
      account.account_id,
      async () => void due.push(...(await dueOf(account, store, tools, job.which))),
    );
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
      done.bytes += await scrubComparisons(snapshot, { ...tools, store });
    });
  }
  return { ...done, left: due.length - done.checked, faults };
}

async function dueOf(
  account: StoredAccount,
  store: Store,
  { clock, now }: ScrubTools,
  which: ScrubJob['which'],
): Promise<readonly DueSnapshot[]> {
  const log = await untilAnswered(clock, () => readLog(store, account.account_id));
  const marks = await untilAnswered(clock, () => readMarks(store, account.account_id));
  if (log.fault !== null) throw log.fault;
  if (marks.fault !== null) throw marks.fault;
  return dueSnapshots(account, { log, marks }, now, which);
}
