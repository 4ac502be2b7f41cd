/**
 * A snapshot's id: its moment without the fraction of a second, as `YYYYMMDDTHHMMSSZ` in UTC. Ids sorted as text are sorted by
 * time.
 */
import type { Instant } from '../../instant.ts';
import { formatInstant, parseInstant } from '../../time.ts';

const SNAPSHOT_ID = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/** What names the newest snapshot, where an id or a pin names another one. */
export const LATEST = 'latest';
/** All names that do so; no pin may have one. */
const NEWEST_NAMES: readonly string[] = [LATEST, 'newest'];

/** True for a name that means the newest snapshot. */
export function meansNewest(name: string): boolean {
  return NEWEST_NAMES.includes(name);
}

/** The id of the snapshot that describes this moment. */
export function snapshotIdOf(moment: Instant): string {
  return `${formatInstant(moment).slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** The second that a snapshot id names; throws a `RangeError` for any other text. */
export function secondOfSnapshotId(id: string): Instant {
  const second = readSnapshotId(id);
  if (second === null) throw new RangeError(`${JSON.stringify(id)} is no snapshot id`);
  return second;
}

/** True for an id of the right form that names a real date and time. */
export function isSnapshotId(id: string): boolean {
  return readSnapshotId(id) !== null;
}

/** The second that a snapshot id names; null for any other text. */
export function readSnapshotId(id: string): Instant | null {
  const [, year, month, day, hours, minutes, seconds] = SNAPSHOT_ID.exec(id) ?? [];
  return parseInstant(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}.000000Z`);
}
