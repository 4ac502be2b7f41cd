/** `schema.json`: the description of the tables as canonical JSON. */
import { encodeCanonical } from '../format/canonical-json.ts';

const encoded = new WeakMap<object, Uint8Array>();

/** The bytes of the file. A build needs them for each of its audits, and all builds of a process have one description. */
export function encodeDescription(description: unknown): Uint8Array {
  if (typeof description !== 'object' || description === null) return encodeCanonical(description);
  const bytes = encoded.get(description) ?? encodeCanonical(description);
  encoded.set(description, bytes);
  return bytes;
}
