/**
 * Future heads: the newest snapshots of an account, if a wrong clock dated them later than now. They block new snapshots of the
 * account, because an id must be greater than the id before. After they are retracted, a new snapshot may have a smaller id:
 * its log entry then lists the retracted ids in `follows_retracted`.
 */
import type { Clock } from '../../clock.ts';
import { untilAnswered } from '../../store/retry.ts';
import type { StoreReader } from '../../store/store.ts';
import { CLOCKS_AGREE_SECONDS } from '../../clock-offsets.ts';
import { type Marks, noMarks } from '../format/marks.ts';
import type { LogEntry, PublishLog } from '../format/publish-log.ts';
import { readMarks } from '../read/read-marks.ts';
import { secondOfSnapshotId } from '../format/snapshot-id.ts';
import { snapshotStatus } from '../format/snapshot-status.ts';
import { type Instant, SECOND } from '../../instant.ts';

/** True if the snapshot's moment is later than now by more than clocks may differ. */
export function isOfFuture(snapshot_id: string, now: Instant): boolean {
  return secondOfSnapshotId(snapshot_id) > now + CLOCKS_AGREE_SECONDS * SECOND;
}

/** The entries at the end of the log that are dated in the future, newest first. */
export function futureHeads({ entries }: PublishLog, now: Instant): readonly LogEntry[] {
  const last = entries.findLastIndex(({ snapshot_id }) => !isOfFuture(snapshot_id, now));
  return entries.slice(last + 1).toReversed();
}

/**
 * The ids of the future heads, newest first, that the log entry of a snapshot with this id must list. Null if the id exists
 * already, or if one of them was not retracted as a future head.
 */
function passedOver({ entries }: PublishLog, marks: Marks, id: string): readonly string[] | null {
  if (entries.some(({ snapshot_id }) => snapshot_id === id)) return null;
  const last = entries.findLastIndex(({ snapshot_id }) => !snapshotStatus(marks, snapshot_id).future_head);
  const before = entries[last];
  if (before !== undefined && before.snapshot_id >= id) return null;
  // Entries with a smaller id are followed as usual, so none needs to be named.
  const first = entries.findLastIndex(({ snapshot_id }) => snapshot_id < id);
  return entries
    .slice(Math.max(first, last) + 1)
    .map(({ snapshot_id }) => snapshot_id)
    .toReversed();
}

/** The result of `passedOver`. It reads the marks from the store, but only if the newest entry does not have a smaller id. */
export async function readPassedOver(
  log: PublishLog,
  id: string,
  { store, clock }: { readonly store: StoreReader; readonly clock: Clock },
): Promise<readonly string[] | null> {
  const head = log.entries.at(-1);
  if (head === undefined || head.snapshot_id < id) return passedOver(log, noMarks(log.account_id), id);
  const marks = await untilAnswered(clock, () => readMarks(store, log.account_id));
  if (marks.fault !== null) throw marks.fault;
  return passedOver(log, marks, id);
}
