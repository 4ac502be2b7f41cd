import type { LogEntry } from '../format/publish-log.ts';
import { pinsAt, type SnapshotStatus } from '../format/snapshot-status.ts';
import type { Instant } from '../../instant.ts';

/** An entry of the publish log, as a version of every table. */
export interface SnapshotVersion {
  /** The number of the log entry; all tables of the snapshot have this version number. */
  readonly seq: number;
  readonly snapshot_id: string;
  readonly expired: boolean;
  /** The names of the pins that keep it now. */
  readonly pins: readonly string[];
  /** The files that a scrub found damaged. */
  readonly damaged_files: readonly string[];
}

/** The entry as a version. */
export function versionOf(
  { seq, snapshot_id }: LogEntry,
  status: SnapshotStatus,
  { now, expired }: { readonly now: Instant; readonly expired: boolean },
): SnapshotVersion {
  const pins = expired ? [] : pinsAt(status, now).map(({ name }) => name);
  return { seq, snapshot_id, expired, pins, damaged_files: status.quarantine?.files ?? [] };
}
