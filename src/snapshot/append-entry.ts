/** The commit point: the one log entry that makes a snapshot visible, for `latest` and pinned alike. */
import { isCrossfootError } from '../errors.ts';
import { type Pace, untilAnswered } from '../store/retry.ts';
import type { Store } from '../store/store.ts';
import { logKey } from './keys.ts';
import { brokenLog, encodeNextEntry, type NewEntry, type PublishLog } from './publish-log.ts';
import { readOn } from './read-log.ts';

export interface PublishResult {
  /** `superseded`: a snapshot of the same or a later moment was published first; this one is not visible. */
  readonly outcome: 'published' | 'superseded';
  /** The entry of this snapshot, or of the one that came first. */
  readonly seq: number;
}

/**
 * Creates the entry after the head. A lost race moves on to the entry after the winner's, unless the winner's
 * moment is the same or later. The entry's nonce tells an own success, hidden by a lost reply, from a lost race.
 */
export async function appendEntry(
  store: Store,
  pace: Pace,
  known: PublishLog,
  entry: NewEntry,
): Promise<PublishResult> {
  for (let log = known; ;) {
    const settled = settle(log, entry);
    if (settled !== null) return settled;
    const seq = log.entries.length + 1;
    const bytes = encodeNextEntry(log, entry);
    const before = log;
    let unanswered: unknown = null;
    try {
      const outcome = await untilAnswered(pace, () => store.create(logKey(log.account_id, seq), bytes));
      if (outcome === 'created') return { outcome: 'published', seq };
    } catch (error) {
      // Never reported as failed before looking: the entry may well be there.
      if (!isCrossfootError(error, 'store_outcome_unknown')) throw error;
      unanswered = error;
    }
    log = await untilAnswered(pace, () => readOn(store, before));
    if (log.fault === null && log.entries.length < seq) {
      throw unanswered ?? brokenLog(log.account_id, seq, 'exists but is not found');
    }
  }
}

function settle(log: PublishLog, entry: NewEntry): PublishResult | null {
  if (log.fault !== null) throw log.fault;
  // Anywhere in the log, not only at its head: somebody may have published after an own success we never heard of.
  const own = log.entries.find((published) => published.nonce === entry.nonce);
  if (own !== undefined) return { outcome: 'published', seq: own.seq };
  const head = log.entries.at(-1);
  if (head === undefined || head.snapshot_id < entry.snapshot_id) return null;
  return { outcome: 'superseded', seq: head.seq };
}
