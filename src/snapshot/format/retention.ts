/** When a snapshot expires, and when its files may be deleted. */
import { DAY, HOUR, type Instant, SECOND } from '../../instant.ts';
import { entryPassingOver, type LogEntry, type PublishLog } from './publish-log.ts';
import { secondOfSnapshotId } from './snapshot-id.ts';
import { heldUntil, type SnapshotStatus } from './snapshot-status.ts';

/** Up to this age the newest snapshot is of the last night: a day, and two hours more in which all accounts are built. */
export const FRESH_SECONDS = 26 * 60 * 60;
/** The contract promises that earlier snapshots are kept for 14 days. */
export const RETENTION_DAYS = 14n;
/** A snapshot cannot be read after its expiry, but is deleted a day later, so a download that began before can finish. */
const GRACE_HOURS = 24n;

/**
 * When a snapshot of this moment expires, if a newer snapshot replaced it at `superseded_at`. It is kept for at least a
 * day after that: an old snapshot that was still the newest must not vanish during a download.
 */
function expiresAt(generated_at: Instant, superseded_at: Instant): Instant {
  const kept = generated_at + RETENTION_DAYS * DAY;
  const replaced = superseded_at + DAY;
  return kept > replaced ? kept : replaced;
}

/** Until when the snapshot that is the newest `now` can be read at least: a later replacement and pins only add time. */
export function readableAtLeastUntil(generated_at: Instant, now: Instant): Instant {
  const replaced = now;
  return expiresAt(generated_at < replaced ? generated_at : replaced, replaced);
}

/**
 * When a newer snapshot replaced this one; null while it is the newest. It is the time at which the next entry was published,
 * or the next snapshot's moment if that is later: in older logs a worker's clock set the time of publishing.
 */
function supersededAt(log: PublishLog, entry: LogEntry): Instant | null {
  let next = log.entries[entry.seq];
  // The times of an entry dated in the future are wrong: use the entry that passed over it.
  for (let over = next; over !== undefined; over = entryPassingOver(log, over)) next = over;
  if (next === undefined) return null;
  const moment = secondOfSnapshotId(next.snapshot_id);
  return next.published_at > moment ? next.published_at : moment;
}

/**
 * When the snapshot of an entry expires; null while it is the newest. This function uses only the log and the marks, because
 * the manifest may be deleted already. The snapshot's id has its moment without the fraction of a second. So a second is added:
 * no snapshot may expire before its promised time.
 */
export function expiryOf(log: PublishLog, entry: LogEntry, status: SnapshotStatus): Instant | null {
  const second = secondOfSnapshotId(entry.snapshot_id);
  return exactExpiryOf(log, entry, status, second + SECOND);
}

/** When a snapshot with this exact moment expires; null while it is the newest. It never expires before its last pin ends. */
export function exactExpiryOf(
  log: PublishLog,
  entry: LogEntry,
  status: SnapshotStatus,
  generated_at: Instant,
): Instant | null {
  const superseded_at = supersededAt(log, entry);
  if (superseded_at === null) return null;
  // Use the earlier time: a snapshot dated in the future is then kept no longer than any other.
  const expires = expiresAt(generated_at < superseded_at ? generated_at : superseded_at, superseded_at);
  const held = heldUntil(status);
  return held !== null && held > expires ? held : expires;
}

/** The time after which the files of an entry may be deleted; null while it is the newest. */
export function deletableFrom(log: PublishLog, entry: LogEntry, status: SnapshotStatus): bigint | null {
  const expires = expiryOf(log, entry, status);
  return expires === null ? null : expires + GRACE_HOURS * HOUR;
}
