/** Compares the manifest that the server sent with the signed one: no fact that both have may differ. */

/** What only a builder needs: no server sends it. */
const STORED_ONLY = ['nonce', 'pg_snapshot', 'companions'];
/** A manifest has four levels. */
const MAX_LEVELS = 20;

/** The path of the first fact that differs, such as `tables.0.row_count`; null if the manifests agree. */
export function firstDifference(sent: unknown, signed: Readonly<Record<string, unknown>>): string | null {
  const facts = Object.fromEntries(Object.entries(signed).filter(([name]) => !STORED_ONLY.includes(name)));
  return differenceAt([], sent, facts);
}

/**
 * A server may send more facts than were signed, such as addresses and marks, and an older server omits those it does not
 * know. The form of the manifest says which facts it must have. A list has the same rows.
 */
function differenceAt(path: readonly string[], sent: unknown, signed: unknown): string | null {
  const here = path.join('.') || 'form';
  if (typeof signed !== 'object' || signed === null) return sent === signed ? null : here;
  if (typeof sent !== 'object' || sent === null || path.length > MAX_LEVELS) return here;
  if (Array.isArray(sent) !== Array.isArray(signed)) return here;
  if (Array.isArray(sent) && Array.isArray(signed) && sent.length !== signed.length) return here;
  const facts = new Map(Object.entries(sent));
  for (const [name, value] of Object.entries(signed)) {
    if (!facts.has(name)) continue;
    const found = differenceAt([...path, name], facts.get(name), value);
    if (found !== null) return found;
  }
  return null;
}
