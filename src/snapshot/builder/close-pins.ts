/**
 * Close pins: the first snapshot in which an accounting month is locked is pinned as `close-YYYY-MM`. The decision uses only
 * the snapshot's own months and the existing pins, so it can be repeated. If a build dies before it sets the pin, the next
 * build sets it on its own snapshot.
 */
import { untilAnswered } from '../../store/retry.ts';
import { appendMark, type MarkTools } from '../keep/append-mark.ts';
import type { Marks } from '../format/marks.ts';
import { pinEnd } from '../keep/pins.ts';
import { readMarks } from '../read/read-marks.ts';
import { snapshotIdOf } from '../format/snapshot-id.ts';
import { snapshotStatus } from '../format/snapshot-status.ts';
import type { Instant } from '../../instant.ts';

/** A month that is locked at the snapshot's moment, in an account with close pins switched on. */
export interface ClosedMonth {
  /** `YYYY-MM`. */
  readonly month: string;
  readonly locked_at: Instant;
}

export interface SnapshotOfCloses {
  readonly account_id: bigint;
  readonly snapshot_id: string;
  readonly generated_at: Instant;
  readonly closed: readonly ClosedMonth[];
  readonly by: string;
}

/** Pins the published snapshot for each locked month that has no pin since it was locked; returns the names of the pins. */
export async function pinCloses(
  { account_id, snapshot_id, generated_at, closed, by }: SnapshotOfCloses,
  tools: MarkTools,
): Promise<readonly string[]> {
  const pinned: string[] = [];
  if (closed.length === 0) return pinned;
  let marks = await untilAnswered(tools.clock, () => readMarks(tools.store, account_id));
  for (const { month, locked_at } of closed) {
    const name = `close-${month}`;
    const { length } = marks;
    marks = await appendMark(
      account_id,
      (known) => {
        if (isKept(known, name, locked_at) || snapshotStatus(known, snapshot_id).removed) return null;
        const until = pinEnd(generated_at);
        return { kind: 'pinned', snapshot_id, name, until, at: tools.clock.now(), by };
      },
      tools,
      marks,
    );
    if (marks.length > length) pinned.push(name);
  }
  return pinned;
}

// A released or ended pin counts too: the close was kept for as long as wanted. A month that was reopened and locked
// again needs a new pin, because its figures may have changed.
function isKept(marks: Marks, name: string, locked_at: Instant): boolean {
  const since = snapshotIdOf(locked_at);
  return [...marks.of].some(
    ([snapshot_id, said]) =>
      snapshot_id >= since &&
      !snapshotStatus(marks, snapshot_id).future_head &&
      said.some((mark) => mark.kind === 'pinned' && mark.name === name),
  );
}
