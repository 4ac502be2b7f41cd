/** The ids of a catalogue. Each is made from names alone, so a catalogue that is derived again has the same ids. */
import { createHash } from 'node:crypto';

/** Every id is smaller. A JSON number and a SQLite integer hold it exactly. */
export const ID_LIMIT = 2n ** 52n;

/** A positive whole number for these names. */
export function idOf(...names: readonly (string | bigint)[]): bigint {
  return (BigInt(`0x${digestOf(names).slice(0, 16)}`) % (ID_LIMIT - 1n)) + 1n;
}

/** A UUID for these names: version 8 (RFC 9562), whose content is defined by this program. */
export function uuidOf(...names: readonly (string | bigint)[]): string {
  const hex = digestOf(names);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function digestOf(names: readonly (string | bigint)[]): string {
  return createHash('sha256')
    .update(['crossfoot lake', ...names].join('\n'))
    .digest('hex');
}
