/** The commit point: the one log entry that makes a snapshot visible, for `latest` and pinned alike. */
import { isCrossfootError } from '../../errors.ts';
import type { Pace } from '../../clock.ts';
import { untilAnswered } from '../../store/retry.ts';
import type { Store } from '../../store/store.ts';
import { readPassedOver } from '../keep/future-heads.ts';
import { logKey } from '../format/keys.ts';
import {
  brokenLog,
  encodeNextEntry,
  entryOfNight,
  type NewEntry,
  type PublishLog,
} from '../format/publish-log.ts';
import { readOn } from '../read/read-log.ts';

export interface PublishResult {
  /**
   * `superseded`: a snapshot of the same or a later moment was published first; this one is not visible.
   * `skipped`: its night has a snapshot already, and it was to be published for that night once.
   */
  readonly outcome: 'published' | 'superseded' | 'skipped';
  /** The entry of this snapshot, or of the one that came first. */
  readonly seq: number;
}

/** When a build is published: always, or only as the first of its night. */
export interface PublishOnce {
  /** True: nothing is published when the log names a snapshot of the same night. */
  readonly once: boolean;
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
  { once }: PublishOnce,
): Promise<PublishResult> {
  for (let log = known; ;) {
    const settled = settle(log, entry, once);
    if (settled !== null) return settled;
    const retracted = await readPassedOver(log, entry.snapshot_id, { store, pace });
    // Of the same or a later moment, or of an id that is taken.
    if (retracted === null) return { outcome: 'superseded', seq: log.entries.length };
    const seq = log.entries.length + 1;
    const bytes = encodeNextEntry(log, entry, retracted);
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

function settle(log: PublishLog, entry: NewEntry, once: boolean): PublishResult | null {
  if (log.fault !== null) throw log.fault;
  // Anywhere in the log, not only at its head: somebody may have published after an own success we never heard of.
  const own = log.entries.find((published) => published.nonce === entry.nonce);
  if (own !== undefined) return { outcome: 'published', seq: own.seq };
  // Every entry before the one to be created is known here, so of two builds of one night only one is published.
  const first = once ? entryOfNight(log, entry.night) : undefined;
  if (first !== undefined) return { outcome: 'skipped', seq: first.seq };
  return null;
}
