/** A snapshot's id: the moment it describes, cut to the second, as `YYYYMMDDTHHMMSSZ`. Text order is time order. */
import { formatInstant, type Instant, parseInstant } from '../../time.ts';

const SNAPSHOT_ID = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/** The id of the snapshot that describes this moment (microseconds since 1970). */
export function snapshotIdOf(microseconds: bigint): string {
  return `${formatInstant(microseconds).slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** The second that an id names; a `RangeError` for a text that was not checked to be an id. */
export function secondOfSnapshotId(id: string): Instant {
  const second = readSnapshotId(id);
  if (second === null) throw new RangeError(`${JSON.stringify(id)} is no snapshot id`);
  return second;
}

/** True for an id of the right form that names a moment of the calendar. */
export function isSnapshotId(id: string): boolean {
  return readSnapshotId(id) !== null;
}

/** The second that an id names; null for any text that is not the id of a real moment. */
export function readSnapshotId(id: string): Instant | null {
  const [, year, month, day, hours, minutes, seconds] = SNAPSHOT_ID.exec(id) ?? [];
  return parseInstant(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}.000000Z`);
}
