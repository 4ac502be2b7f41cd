/** Parses ids, whole numbers, names and people of the command line. */
import { InvalidArgumentError } from 'commander';

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

const MAX_EMAIL = 254;

/** A name, without blanks around it. */
export function parseText(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be blank.');
  return text.trim();
}

/** An e-mail address, without blanks around it. One inside, an invisible sign or a second address is a slip. */
export function parseEmail(text: string): string {
  const email = text.trim();
  if (!/^[^\s\p{C}@<>,;]+@[^\s\p{C}@<>,;]+$/u.test(email) || email.length > MAX_EMAIL)
    throw new InvalidArgumentError('An e-mail address is written name@host.');
  return email;
}

/** A person: by their id, or by their e-mail address. */
export function parsePerson(text: string): bigint | string {
  return text.includes('@') ? parseEmail(text) : parseId(text.trim());
}
