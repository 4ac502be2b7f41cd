/**
 * Heads of the future: snapshots that a wrong clock dated later than now. They freeze their account, because an id must
 * be greater than the one before. Once they are retracted as such, the next entry names them and may be smaller.
 */
import type { Pace } from '../../clock.ts';
import { untilAnswered } from '../../store/retry.ts';
import type { StoreReader } from '../../store/store.ts';
import { CLOCKS_AGREE_SECONDS } from '../../clock-offsets.ts';
import { type Marks, noMarks } from '../format/marks.ts';
import type { LogEntry, PublishLog } from '../format/publish-log.ts';
import { readMarks } from '../read/read-marks.ts';
import { secondOfSnapshotId } from '../format/snapshot-id.ts';
import { standingOf } from '../format/standing.ts';

const MICROSECONDS_PER_SECOND = 1_000_000n;

/** True when the snapshot of this id is dated later than any right clock shows. */
export function isOfFuture(snapshot_id: string, now: bigint): boolean {
  return secondOfSnapshotId(snapshot_id) > now + CLOCKS_AGREE_SECONDS * MICROSECONDS_PER_SECOND;
}

/** The entries at the end of the log that are dated in the future, newest first. */
export function futureHeads({ entries }: PublishLog, now: bigint): readonly LogEntry[] {
  const last = entries.findLastIndex(({ snapshot_id }) => !isOfFuture(snapshot_id, now));
  return entries.slice(last + 1).toReversed();
}

/**
 * The ids at the end of the log, newest first, that a snapshot of this id has to pass over; null when one of them was
 * not retracted as a head of the future, or the id is taken.
 */
function passedOver({ entries }: PublishLog, marks: Marks, id: string): readonly string[] | null {
  if (entries.some(({ snapshot_id }) => snapshot_id === id)) return null;
  const last = entries.findLastIndex(({ snapshot_id }) => !standingOf(marks, snapshot_id).future_head);
  const before = entries[last];
  if (before !== undefined && before.snapshot_id >= id) return null;
  // Those at the end that are earlier, if any, are followed as usual.
  const first = entries.findLastIndex(({ snapshot_id }) => snapshot_id < id);
  return entries
    .slice(Math.max(first, last) + 1)
    .map(({ snapshot_id }) => snapshot_id)
    .toReversed();
}

/** The same from the store; the marks are read only when the log's head is not earlier. */
export async function readPassedOver(
  log: PublishLog,
  id: string,
  { store, pace }: { readonly store: StoreReader; readonly pace: Pace },
): Promise<readonly string[] | null> {
  const head = log.entries.at(-1);
  if (head === undefined || head.snapshot_id < id) return passedOver(log, noMarks(log.account_id), id);
  const marks = await untilAnswered(pace, () => readMarks(store, log.account_id));
  if (marks.fault !== null) throw marks.fault;
  return passedOver(log, marks, id);
}
