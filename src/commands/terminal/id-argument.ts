/** Parses ids and whole numbers of the command line. */
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
