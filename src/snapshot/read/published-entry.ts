/** The log entry of a snapshot that somebody names. */
import { CrossfootError } from '../../errors.ts';
import type { Pace } from '../../clock.ts';
import { untilAnswered } from '../../store/retry.ts';
import type { Store } from '../../store/store.ts';
import type { LogEntry } from '../format/publish-log.ts';
import { readLog } from './read-log.ts';

/** Gives the entry of the account's snapshot, or refuses a name that no good entry bears. */
export async function requirePublished(
  account_id: bigint,
  snapshot_id: string,
  { store, pace }: { readonly store: Store; readonly pace: Pace },
): Promise<LogEntry> {
  const log = await untilAnswered(pace, () => readLog(store, account_id));
  const entry = log.entries.find((one) => one.snapshot_id === snapshot_id);
  if (entry !== undefined) return entry;
  // Entries after the fault may be there and name it, and nothing of them can be believed.
  if (log.fault !== null) throw log.fault;
  throw new CrossfootError('not_found', `Account ${account_id} has published no snapshot ${snapshot_id}.`, {
    hint: `crossfoot snapshots --account ${account_id} shows those it has.`,
  });
}
