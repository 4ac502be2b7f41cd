/** The commit point of a build: creating one log entry makes the snapshot visible, both as `latest` and by its id. */
import { isCrossfootError } from '../../errors.ts';
import type { Clock } from '../../clock.ts';
import { untilAnswered } from '../../store/retry.ts';
import type { Store } from '../../store/store.ts';
import { readPassedOver } from '../keep/future-heads.ts';
import { logKey } from '../format/keys.ts';
import {
  brokenLog,
  encodeNextEntry,
  entryOfNight,
  follow,
  type NewEntry,
  type PublishLog,
} from '../format/publish-log.ts';
import { readOn } from '../read/read-log.ts';

export interface PublishResult {
  /**
   * `superseded`: a snapshot of the same or a later moment was published first; the snapshot of this build is not visible.
   * `skipped`: the build has `once`, and its night already has a snapshot.
   */
  readonly outcome: 'published' | 'superseded' | 'skipped';
  /** The sequence number of this snapshot's entry, or of the entry that was there first. */
  readonly seq: number;
}

/** Decides if a build is always published, or only if it is the first of its night. */
export interface PublishOnce {
  /** True: do not publish if the log already names a snapshot of the same night. */
  readonly once: boolean;
  /** Called with the log and the entry of this build in it, once that entry stands; the log need not be read again. */
  readonly onAppended?: ((log: PublishLog) => void) | undefined;
}

/**
 * Creates the entry after the newest entry of the log. If another build creates that entry first, it tries the next number,
 * unless the other snapshot is of the same or a later moment. If the store's reply is lost, the nonce of the entry shows
 * whether this build wrote it.
 */
export async function appendEntry(
  store: Store,
  clock: Clock,
  known: PublishLog,
  entry: NewEntry,
  { once, onAppended }: PublishOnce,
): Promise<PublishResult> {
  for (let log = known; ;) {
    const settled = settle(log, entry, once);
    if (settled?.outcome === 'published') onAppended?.(log);
    if (settled !== null) return settled;
    const retracted = await readPassedOver(log, entry.snapshot_id, { store, clock });
    // Null: the log has this id already, or a snapshot of the same or a later moment.
    if (retracted === null) return { outcome: 'superseded', seq: log.entries.length };
    const seq = log.entries.length + 1;
    const bytes = encodeNextEntry(log, entry, retracted);
    const before = log;
    let unanswered: unknown = null;
    try {
      const outcome = await untilAnswered(clock, () => store.create(logKey(log.account_id, seq), bytes));
      if (outcome === 'created') {
        onAppended?.(follow(before, [bytes]));
        return { outcome: 'published', seq };
      }
    } catch (error) {
      // The entry may have been written although no reply came: read the log before reporting a failure.
      if (!isCrossfootError(error, 'store_outcome_unknown')) throw error;
      unanswered = error;
    }
    log = await untilAnswered(clock, () => readOn(store, before));
    if (log.fault === null && log.entries.length < seq) {
      throw unanswered ?? brokenLog(log.account_id, seq, 'exists but is not found');
    }
  }
}

function settle(log: PublishLog, entry: NewEntry, once: boolean): PublishResult | null {
  if (log.fault !== null) throw log.fault;
  // Search the whole log, not only its head: if our reply was lost, another build may have published after us.
  const own = log.entries.find((published) => published.nonce === entry.nonce);
  if (own !== undefined) return { outcome: 'published', seq: own.seq };
  // All earlier entries are known here, so two builds of one night cannot both be published.
  const first = once ? entryOfNight(log, entry.night) : undefined;
  if (first !== undefined) return { outcome: 'skipped', seq: first.seq };
  return null;
}
