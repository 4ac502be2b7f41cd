/**
 * Close pins: the first snapshot that sees an accounting month locked is kept as `close-YYYY-MM`. Decided from what the
 * snapshot itself says of its months and from the pins there are, so a build that died before it pinned is made up for
 * by the next, and doing it twice is the same as once.
 */
import { untilAnswered } from '../../store/retry.ts';
import { appendMark, type MarkTools } from '../keep/append-mark.ts';
import { instant } from '../../time.ts';
import type { Marks } from '../format/marks.ts';
import { pinEnd } from '../keep/pins.ts';
import { readMarks } from '../read/read-marks.ts';
import { snapshotIdOf } from '../format/snapshot-id.ts';
import { standingOf } from '../format/standing.ts';

/** A month that is locked at a snapshot's moment, in an account that wants its closes kept. */
export interface ClosedMonth {
  /** `YYYY-MM`. */
  readonly month: string;
  readonly locked_at: bigint;
}

export interface SnapshotOfCloses {
  readonly account_id: bigint;
  readonly snapshot_id: string;
  readonly generated_at: bigint;
  readonly closed: readonly ClosedMonth[];
  readonly by: string;
}

/** Pins the published snapshot for each month that no snapshot since its locking was pinned for; gives the names. */
export async function pinCloses(
  { account_id, snapshot_id, generated_at, closed, by }: SnapshotOfCloses,
  tools: MarkTools,
): Promise<readonly string[]> {
  const pinned: string[] = [];
  if (closed.length === 0) return pinned;
  let marks = await untilAnswered(tools.pace, () => readMarks(tools.store, account_id));
  for (const { month, locked_at } of closed) {
    const name = `close-${month}`;
    const { length } = marks;
    marks = await appendMark(
      account_id,
      (known) => {
        if (isKept(known, name, locked_at) || standingOf(known, snapshot_id).removed) return null;
        const until = instant(pinEnd(generated_at));
        return { kind: 'pinned', snapshot_id, name, until, at: instant(tools.pace.now()), by };
      },
      tools,
      marks,
    );
    if (marks.length > length) pinned.push(name);
  }
  return pinned;
}

// Also one that was released or has ended: the close was kept for as long as somebody wanted. A month that was reopened
// and locked again is closed anew, and its figures may be others.
function isKept(marks: Marks, name: string, locked_at: bigint): boolean {
  const since = snapshotIdOf(locked_at);
  return [...marks.of].some(
    ([snapshot_id, said]) =>
      snapshot_id >= since &&
      !standingOf(marks, snapshot_id).future_head &&
      said.some((mark) => mark.kind === 'pinned' && mark.name === name),
  );
}
