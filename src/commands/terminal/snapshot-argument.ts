/** A snapshot, the name of a pin and its end on the command line, parsed where they enter. */
import { InvalidArgumentError } from 'commander';
import { parseInstant } from '../../time.ts';
import { isSnapshotId } from '../../snapshot/format/snapshot-id.ts';

const MICROSECONDS_PER_DAY = 86_400_000_000n;

/** The id of a snapshot. */
export function parseSnapshotId(text: string): string {
  if (isSnapshotId(text)) return text;
  throw new InvalidArgumentError('The id of a snapshot is a moment such as 20261101T020000Z.');
}

/** The name of a pin: short, and nothing in it that a shell or an address would have to quote. */
export function parsePinName(text: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,39}$/.test(text)) return text;
  throw new InvalidArgumentError(
    'A name is up to 40 small letters, digits and hyphens, such as 2026-10-close.',
  );
}

/** The end of a UTC day, in microseconds since 1970: what is kept until a day is kept through it. */
export function parseLastDay(text: string): bigint {
  const midnight = parseInstant(`${text}T00:00:00.000000Z`);
  if (midnight === null) throw new InvalidArgumentError('It must be a day of the calendar, YYYY-MM-DD.');
  return midnight + MICROSECONDS_PER_DAY;
}

/** Why a snapshot is retracted, on one line. */
export function parseReason(text: string): string {
  if (/^[^\p{Cc}\p{Cs}]{1,500}$/u.test(text.trim())) return text.trim();
  throw new InvalidArgumentError('A reason is one line of up to 500 characters.');
}
