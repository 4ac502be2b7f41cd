/**
 * The one way our stored JSON is written: keys sorted, no white space. Its digest then depends on what it says
 * alone, and a text that says something twice can be told from ours.
 */

/** The canonical bytes of a value made of JSON's own types. */
export function encodeCanonical(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value, (_, member: unknown) => sorted(member)));
}

/**
 * The value of canonical bytes; throws for any others. Comparing with the way back refuses at one stroke what
 * `JSON.parse` lets pass: duplicate keys, numbers beyond 2^53, odd spellings, stray white space, bad UTF-8.
 */
export function decodeCanonical(bytes: Uint8Array): unknown {
  const value: unknown = JSON.parse(
    new TextDecoder('utf-8', { fatal: true }).decode(bytes),
    (key, member: unknown) => {
      if (key === '__proto__') throw new SyntaxError('a key is __proto__');
      return member;
    },
  );
  if (!encodeCanonical(value).equals(bytes)) throw new SyntaxError('not canonical');
  return value;
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
