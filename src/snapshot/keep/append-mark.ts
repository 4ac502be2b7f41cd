/** Appends a mark for a snapshot to the account's chain of marks. The decision to append sees all earlier marks. */
import { isCrossfootError } from '../../errors.ts';
import type { Clock } from '../../clock.ts';
import { untilAnswered } from '../../store/retry.ts';
import type { Store } from '../../store/store.ts';
import { markKey } from '../format/keys.ts';
import { brokenMarks, encodeNextMark, type Marks, type NewMark } from '../format/marks.ts';
import { readMarks, readMarksOn } from '../read/read-marks.ts';

export interface MarkTools {
  readonly store: Store;
  readonly clock: Clock;
  /** Returns 128 random bits in lower-case hex, different for each mark. */
  readonly newNonce: () => string;
}

/**
 * Appends the mark that `decide` returns for the current marks, or nothing if it returns null; returns all marks. If another
 * writer appends a mark first, `decide` is called again with the new marks. `known` may therefore be out of date. If `decide`
 * throws, nothing is appended.
 */
export async function appendMark(
  account_id: bigint,
  decide: (marks: Marks) => NewMark | null,
  { store, clock, newNonce }: MarkTools,
  known: Marks | null = null,
): Promise<Marks> {
  const own = newNonce();
  let marks = known ?? (await untilAnswered(clock, () => readMarks(store, account_id)));
  for (;;) {
    if (marks.fault !== null) throw marks.fault;
    const mark = decide(marks);
    if (mark === null) return marks;
    const before = marks;
    const bytes = encodeNextMark(before, mark, own);
    let unanswered: unknown = null;
    try {
      await untilAnswered(clock, () => store.create(markKey(account_id, before.length + 1), bytes));
    } catch (error) {
      // The mark may have been written although no reply came: read the marks before reporting a failure.
      if (!isCrossfootError(error, 'store_outcome_unknown')) throw error;
      unanswered = error;
    }
    marks = await untilAnswered(clock, () => readMarksOn(store, before));
    if (marks.of.get(mark.snapshot_id)?.some((each) => each.nonce === own) === true) return marks;
    if (marks.fault === null && marks.length === before.length) {
      throw unanswered ?? brokenMarks(account_id, before.length + 1, 'exists but is not found');
    }
  }
}
