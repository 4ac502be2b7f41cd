/** Parses what a person writes on the command line: ids, counts, addresses, snapshots, pins and reasons. */
import { InvalidArgumentError } from 'commander';
import { DAY, type Instant } from '../../instant.ts';
import { parseInstant } from '../../time.ts';
import { isSnapshotId, LATEST, meansNewest } from '../../snapshot/format/snapshot-id.ts';

/** An id of an account, a person, a token or a webhook: at most 18 digits. */
export function parseId(text: string): bigint {
  if (!/^[1-9]\d{0,17}$/.test(text))
    throw new InvalidArgumentError('An id is a whole number above 0, of at most 18 digits.');
  return BigInt(text);
}

/** Makes the parser of a whole number from 1 to `most`. */
export function parseCount(most: number): (text: string) => number {
  return (text) => {
    const count = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0;
    if (count < 1 || count > most)
      throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`);
    return count;
  };
}

const MAX_EMAIL_CHARACTERS = 254;

/** A name, without blanks around it. */
export function parseText(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be blank.');
  return text.trim();
}

/** An e-mail address, without blanks around it. One inside, an invisible sign or a second address is a slip. */
export function parseEmail(text: string): string {
  const email = text.trim();
  if (!/^[^\s\p{C}@<>,;]+@[^\s\p{C}@<>,;]+$/u.test(email) || email.length > MAX_EMAIL_CHARACTERS)
    throw new InvalidArgumentError('An e-mail address is written name@host.');
  return email;
}

/** A person: by their id, or by their e-mail address. */
export function parsePerson(text: string): bigint | string {
  return text.includes('@') ? parseEmail(text) : parseId(text.trim());
}

/** The id of a snapshot, or `latest`. */
export function parseSnapshot(text: string): string {
  if (isSnapshotId(text) || text === LATEST) return text;
  throw new InvalidArgumentError('The id of a snapshot is a moment such as 20261101T020000Z; or say latest.');
}

const PIN_NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;

/** The id of a snapshot, `latest`, or the name of a pin. */
export function parseNamedSnapshot(text: string): string {
  if (isSnapshotId(text) || text === LATEST || isPinName(text)) return text;
  throw new InvalidArgumentError(
    'The id of a snapshot is a moment such as 20261101T020000Z; or say latest, or the name of a pin.',
  );
}

/** True of a text that a pin may have as its name. */
export function isPinName(text: string): boolean {
  return PIN_NAME.test(text) && !meansNewest(text);
}

/** The id of a snapshot. */
export function parseSnapshotId(text: string): string {
  if (isSnapshotId(text)) return text;
  throw new InvalidArgumentError('The id of a snapshot is a moment such as 20261101T020000Z.');
}

/** The name of a pin: short, and without characters that need quoting in a shell or an address. */
export function parsePinName(text: string): string {
  if (PIN_NAME.test(text)) return text;
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
