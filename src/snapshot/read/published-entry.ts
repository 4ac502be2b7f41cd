/** The log entry of a snapshot given by its id. */
import { CrossfootError } from '../../errors.ts';
import type { Clock } from '../../clock.ts';
import { untilAnswered } from '../../store/retry.ts';
import type { Store } from '../../store/store.ts';
import type { LogEntry } from '../format/publish-log.ts';
import { readLog } from './read-log.ts';

/** Returns the entry of the account's snapshot; throws if no valid entry has this id. */
export async function requirePublished(
  account_id: bigint,
  snapshot_id: string,
  { store, clock }: { readonly store: Store; readonly clock: Clock },
): Promise<LogEntry> {
  const log = await untilAnswered(clock, () => readLog(store, account_id));
  const entry = log.entries.find((one) => one.snapshot_id === snapshot_id);
  if (entry !== undefined) return entry;
  // Entries after the fault may name the snapshot, but cannot be trusted.
  if (log.fault !== null) throw log.fault;
  throw new CrossfootError('not_found', `Account ${account_id} has published no snapshot ${snapshot_id}.`, {
    hint: `npx --no crossfoot snapshots --account ${account_id} shows those it has.`,
  });
}
