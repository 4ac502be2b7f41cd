/** Parses a snapshot id, the name and end of a pin, and the reason of a retraction on the command line. */
import { InvalidArgumentError } from 'commander';
import { DAY, type Instant } from '../../instant.ts';
import { parseInstant } from '../../time.ts';
import { isSnapshotId } from '../../snapshot/format/snapshot-id.ts';

/** The newest snapshot, where a command takes it instead of an id. */
export const LATEST = 'latest';

/** The id of a snapshot, or `latest`. */
export function parseSnapshot(text: string): string {
  if (isSnapshotId(text) || text === LATEST) return text;
  throw new InvalidArgumentError('The id of a snapshot is a moment such as 20261101T020000Z; or say latest.');
}

/** The id of a snapshot. */
export function parseSnapshotId(text: string): string {
  if (isSnapshotId(text)) return text;
  throw new InvalidArgumentError('The id of a snapshot is a moment such as 20261101T020000Z.');
}

/** The name of a pin: short, and without characters that need quoting in a shell or an address. */
export function parsePinName(text: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,39}$/.test(text)) return text;
  throw new InvalidArgumentError(
    'A name has up to 40 lower-case letters, digits and hyphens, and does not begin with a hyphen: 2026-10-close.',
  );
}

/** The midnight after the given UTC day: a pin includes its last day. */
export function parseLastDay(text: string): Instant {
  const midnight = parseInstant(`${text}T00:00:00.000000Z`);
  if (midnight === null) throw new InvalidArgumentError('The last day must be a date, YYYY-MM-DD.');
  return midnight + DAY;
}

/** The reason of a retraction, on one line. */
export function parseReason(text: string): string {
  if (/^[^\p{Cc}\p{Cs}]{1,500}$/u.test(text.trim())) return text.trim();
  throw new InvalidArgumentError('A reason is one line of up to 500 characters.');
}
