/** How long a snapshot is kept. */
import { type Instant, instant } from '../../time.ts';
import { entryPassingOver, type LogEntry, type PublishLog } from './publish-log.ts';
import { secondOfSnapshotId } from './snapshot-id.ts';
import { heldUntil, type Standing } from './standing.ts';

const MICROSECONDS_PER_SECOND = 1_000_000n;
const MICROSECONDS_PER_HOUR = 3600n * MICROSECONDS_PER_SECOND;
/** The contract: earlier snapshots are kept 14 days. */
export const KEPT_DAYS = 14n;
/** Refused at once when expired, deleted a day later: no download that began in time is cut off. */
const GRACE_HOURS = 24n;

/**
 * When a snapshot of this moment expires, having been followed by a newer one at `superseded_at`. The day after
 * that keeps an old newest from vanishing the second it is replaced, in the middle of a download.
 */
function expiresAt(generated_at: Instant, superseded_at: Instant): Instant {
  const kept = generated_at + KEPT_DAYS * 24n * MICROSECONDS_PER_HOUR;
  const replaced = superseded_at + 24n * MICROSECONDS_PER_HOUR;
  return instant(kept > replaced ? kept : replaced);
}

/** When the next entry was published, and never before its own moment: older logs have it from a worker's clock. */
function supersededAt(log: PublishLog, entry: LogEntry): Instant | null {
  let next = log.entries[entry.seq];
  // The times of a head of the future are wrong: what counts is the entry that passed it over.
  for (let over = next; over !== undefined; over = entryPassingOver(log, over)) next = over;
  if (next === undefined) return null;
  const moment = secondOfSnapshotId(next.snapshot_id);
  return next.published_at > moment ? next.published_at : moment;
}

/**
 * When the snapshot of an entry may no longer be read; null while it is the newest. From the log and the marks alone,
 * because the manifest may be deleted already. The id is its moment cut to the second, so a second is added: nothing is
 * refused before its promised time.
 */
export function expiryOf(log: PublishLog, entry: LogEntry, standing: Standing): Instant | null {
  const second = secondOfSnapshotId(entry.snapshot_id);
  return keptUntil(log, entry, standing, instant(second + MICROSECONDS_PER_SECOND));
}

/** The same for one whose very moment is known; a pin holds until its end, however old the snapshot is. */
export function keptUntil(
  log: PublishLog,
  entry: LogEntry,
  standing: Standing,
  generated_at: Instant,
): Instant | null {
  const superseded_at = supersededAt(log, entry);
  if (superseded_at === null) return null;
  // A snapshot is no younger than the one that replaced it: a head of the future is kept as long as any other.
  const expires = expiresAt(generated_at < superseded_at ? generated_at : superseded_at, superseded_at);
  const held = heldUntil(standing);
  return held !== null && held > expires ? held : expires;
}

/** From when on the files of an entry may be deleted; null while it is the newest. */
export function deletableFrom(log: PublishLog, entry: LogEntry, standing: Standing): bigint | null {
  const expires = expiryOf(log, entry, standing);
  return expires === null ? null : expires + GRACE_HOURS * MICROSECONDS_PER_HOUR;
}
