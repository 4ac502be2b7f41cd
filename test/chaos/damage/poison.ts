/** Poison for stored JSON: what an attacker, or a bug, could have put there, by hand and by chance. */
import { encodeCanonical } from '../../../src/snapshot/format/canonical-json.ts';
import type { Chance } from '../chance.ts';

/** What no honest writer puts there. */
const ODD: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1.5,
  2 ** 53,
  1e308,
  '',
  '../../../../etc/passwd',
  'http://169.254.169.254/latest/meta-data',
  'file:///etc/passwd',
  'a'.repeat(5_000),
  '\u0000\ud800',
  '__proto__',
  '20991231T235960Z',
  [],
  {},
  { __proto__: null },
];
const ODD_KEYS = ['url', 'toString', 'constructor', 'hasOwnProperty', 'length', '', '../x'];

/** Texts instead of an object: none of them may be taken for one, or be read to its end. */
export const ODD_TEXTS: readonly Buffer[] = [
  Buffer.from(''),
  Buffer.from('null'),
  Buffer.from('[]'),
  Buffer.from('{'),
  Buffer.from('{"aborted":true}'),
  Buffer.from('{"__proto__":{"account_id":7}}'),
  Buffer.from('{"account_id":7,"account_id":8}'),
  Buffer.from(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
  Buffer.from([0xff, 0xfe, 0x00]),
  Buffer.alloc(2_000_000, 0x20), // beyond every cap; a gigabyte is refused by the same number
];

/** One change of a JSON value, canonical again: a field replaced, added, dropped, or doubled in its list. */
export function poisonValue(bytes: Uint8Array, chance: Chance): Buffer {
  const value = JSON.parse(Buffer.from(bytes).toString()) as unknown;
  const places = placesIn(value);
  const { holder, key } = chance.oneOf(places);
  if (Array.isArray(holder) && chance.happens(0.5)) {
    holder.splice(Number(key), chance.below(2), holder[chance.below(holder.length)]);
  } else if (chance.happens(0.2)) {
    delete holder[key];
  } else if (chance.happens(0.25)) {
    holder[chance.oneOf(ODD_KEYS)] = chance.oneOf(ODD);
  } else {
    holder[key] = chance.happens(0.6) ? chance.oneOf(ODD) : nudged(holder[key], chance);
  }
  return encodeCanonical(value);
}

/** One change of the bytes themselves: what reads them must notice that they are not canonical, or not the same. */
export function poisonBytes(bytes: Uint8Array, chance: Chance): Buffer {
  const at = chance.below(bytes.length);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  switch (chance.below(5)) {
    case 0:
      return Buffer.concat([
        before,
        Buffer.from([(bytes[at] ?? 0) ^ (1 << chance.below(8))]),
        after.subarray(1),
      ]);
    case 1:
      return Buffer.from(before);
    case 2:
      return Buffer.concat([before, Buffer.from(chance.oneOf([' ', '0', '"', '\\u0041', '{}'])), after]);
    case 3:
      return Buffer.concat([bytes, Buffer.from('\n')]);
    default:
      return chance.oneOf(ODD_TEXTS);
  }
}

interface Place {
  readonly holder: Record<string, unknown>;
  readonly key: string;
}

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>; // of a list, the keys are its places
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key])]);
}

/** Another value of the same kind: what only a digest, or another field, can tell from the right one. */
function nudged(value: unknown, chance: Chance): unknown {
  if (typeof value === 'number') return value + chance.oneOf([-1, 1, 7]);
  if (typeof value !== 'string' || value === '') return chance.oneOf(ODD);
  const at = chance.below(value.length);
  return `${value.slice(0, at)}${chance.oneOf(['0', '1', 'a', 'f'])}${value.slice(at + 1)}`;
}
