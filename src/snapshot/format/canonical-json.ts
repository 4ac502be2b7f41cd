/**
 * The one way our stored JSON is written: keys sorted, no white space. Its digest then depends on what it says
 * alone, and a text that says something twice can be told from ours.
 */

/** The canonical text of a value made of JSON's own types. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => sorted(member));
}

/** The canonical bytes of such a value. */
export function encodeCanonical(value: unknown): Buffer {
  return Buffer.from(canonicalText(value));
}

/**
 * The value of canonical bytes; throws for any others. Comparing with the way back refuses at one stroke what
 * `JSON.parse` lets pass: duplicate keys, numbers beyond 2^53, odd spellings, stray white space, bad UTF-8.
 */
export function decodeCanonical(bytes: Uint8Array): unknown {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  // Looking at every member costs as much as the parsing, and a key is never written otherwise in canonical text.
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
  // What was read from canonical text is in order: no need to build it anew.
  if (keys.every((key, place) => place === 0 || (keys[place - 1] ?? '') < key)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
