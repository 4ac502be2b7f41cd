/** Parses a snapshot id, and the name and end of a pin, on the command line. */
import { InvalidArgumentError } from 'commander';
import { parseInstant } from '../../time.ts';
import { isSnapshotId } from '../../snapshot/format/snapshot-id.ts';

const MICROSECONDS_PER_DAY = 86_400_000_000n;

/** The id of a snapshot. */
export function parseSnapshotId(text: string): string {
  if (isSnapshotId(text)) return text;
  throw new InvalidArgumentError('The id of a snapshot is a moment such as 20261101T020000Z.');
}

/** The name of a pin: short, and without characters that need quoting in a shell or an address. */
export function parsePinName(text: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,39}$/.test(text)) return text;
  throw new InvalidArgumentError(
    'A name is up to 40 small letters, digits and hyphens, such as 2026-10-close.',
  );
}

/** The end of a UTC day, in microseconds since 1970: the named day is included. */
export function parseLastDay(text: string): bigint {
  const midnight = parseInstant(`${text}T00:00:00.000000Z`);
  if (midnight === null) throw new InvalidArgumentError('It must be a day of the calendar, YYYY-MM-DD.');
  return midnight + MICROSECONDS_PER_DAY;
}

/** The reason of a retraction, on one line. */
export function parseReason(text: string): string {
  if (/^[^\p{Cc}\p{Cs}]{1,500}$/u.test(text.trim())) return text.trim();
  throw new InvalidArgumentError('A reason is one line of up to 500 characters.');
}
