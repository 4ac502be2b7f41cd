/** Finds the known name that is most similar to a mistyped one, for "did you mean". */

/** The part of a name's letters that may differ: four of ten. */
const DIFFERENCES_PER_LETTER = 0.4;

/** The most similar known name; null if none is similar enough. */
export function nearestOf(name: string, known: readonly string[]): string | null {
  const [nearest] = known
    .map((each) => ({ each, distance: distanceOf(name.toLowerCase(), each) }))
    .filter(({ each, distance }) => distance <= Math.max(name.length, each.length) * DIFFERENCES_PER_LETTER)
    .toSorted((a, b) => a.distance - b.distance);
  return nearest?.each ?? null;
}

/** The smallest number of letters to add, remove or change (Levenshtein). */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, length) => length);
  for (const [index, letter] of Array.from(from).entries()) {
    const next = [index + 1];
    for (const [place, other] of Array.from(to).entries()) {
      const changed = (row[place] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(changed, (row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
