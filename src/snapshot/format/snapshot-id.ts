/** A snapshot's id: the moment it describes, cut to the second, as `YYYYMMDDTHHMMSSZ`. Text order is time order. */
import { formatInstant, parseInstant } from '../../time.ts';

const SNAPSHOT_ID = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/** The id of the snapshot that describes this moment (microseconds since 1970). */
export function snapshotIdOf(microseconds: bigint): string {
  return `${formatInstant(microseconds).slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** The second an id names, in microseconds since 1970; null for any text that is not the id of a real moment. */
export function secondOfSnapshotId(id: string): bigint | null {
  const [, year, month, day, hours, minutes, seconds] = SNAPSHOT_ID.exec(id) ?? [];
  return parseInstant(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}.000000Z`);
}

/** True for an id of the right form that names a moment of the calendar. */
export function isSnapshotId(id: string): boolean {
  return secondOfSnapshotId(id) !== null;
}
