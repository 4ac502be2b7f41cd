/**
 * Canonical JSON, the only form in which we store JSON: keys sorted, no white space. Equal values then have equal
 * digests, and text in any other form is refused.
 */

/** The canonical text of a value that consists of JSON's own types. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => sorted(member));
}

/** The canonical text of a value, as UTF-8 bytes. */
export function encodeCanonical(value: unknown): Buffer {
  return Buffer.from(canonicalText(value));
}

/**
 * The value of canonical bytes; throws for any other bytes. It encodes the value again and compares the bytes. So it refuses
 * what `JSON.parse` alone accepts: duplicate keys, numbers beyond 2^53, other spellings of a number, white space. Bad UTF-8
 * is refused, too.
 */
export function decodeCanonical(bytes: Uint8Array): unknown {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  // A reviver doubles the cost of parsing, so it runs only if the key occurs. Canonical text has no other spelling of the key.
  const value: unknown = text.includes('"__proto__"') ? JSON.parse(text, refuseProto) : JSON.parse(text);
  if (!encodeCanonical(value).equals(bytes)) throw new SyntaxError('not canonical');
  return value;
}

function refuseProto(key: string, member: unknown): unknown {
  if (key === '__proto__') throw new SyntaxError('a key is __proto__');
  return member;
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const keys = Object.keys(value);
  // Keys read from canonical text are sorted already: no new object is needed.
  if (keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') < key)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
