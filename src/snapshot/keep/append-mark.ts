/** Saying something of a snapshot: one more mark at the end of the chain, decided on all that was said before it. */
import { isCrossfootError } from '../../errors.ts';
import type { Pace } from '../../clock.ts';
import { untilAnswered } from '../../store/retry.ts';
import type { Store } from '../../store/store.ts';
import { markKey } from '../format/keys.ts';
import { brokenMarks, encodeNextMark, type Marks, type NewMark } from '../format/marks.ts';
import { readMarks, readMarksOn } from '../read/read-marks.ts';

export interface MarkTools {
  readonly store: Store;
  readonly pace: Pace;
  /** 128 random bits in lower-case hex, new for each mark. */
  readonly newNonce: () => string;
}

/**
 * Appends the mark that `decide` gives for the marks as they stand, and gives them with it; null appends nothing. When
 * another mark comes first, it is asked again, knowing that one; so `known` may be older than the store. What it throws is thrown, and nothing is appended.
 */
export async function appendMark(
  account_id: bigint,
  decide: (marks: Marks) => NewMark | null,
  { store, pace, newNonce }: MarkTools,
  known: Marks | null = null,
): Promise<Marks> {
  const own = newNonce();
  let marks = known ?? (await untilAnswered(pace, () => readMarks(store, account_id)));
  for (;;) {
    if (marks.fault !== null) throw marks.fault;
    const mark = decide(marks);
    if (mark === null) return marks;
    const before = marks;
    const bytes = encodeNextMark(before, mark, own);
    let unanswered: unknown = null;
    try {
      await untilAnswered(pace, () => store.create(markKey(account_id, before.length + 1), bytes));
    } catch (error) {
      // Never reported as failed before looking: the mark may well be there.
      if (!isCrossfootError(error, 'store_outcome_unknown')) throw error;
      unanswered = error;
    }
    marks = await untilAnswered(pace, () => readMarksOn(store, before));
    if (marks.of.get(mark.snapshot_id)?.some((said) => said.nonce === own) === true) return marks;
    if (marks.fault === null && marks.length === before.length) {
      throw unanswered ?? brokenMarks(account_id, before.length + 1, 'exists but is not found');
    }
  }
}
