/** Finds the known name that is most similar to a mistyped one, for "did you mean". */

/** The part of a name's letters that may differ: four of ten. */
const DIFFERENCES_PER_LETTER = 0.4;

/** The most similar known name; null if none is similar enough. */
export function nearestOf(name: string, known: readonly string[]): string | null {
  const [nearest] = known
    // A distance is at least the difference of the lengths. So a name of a million letters costs nothing.
    .filter((each) => Math.abs(name.length - each.length) <= differencesOf(name, each))
    .map((each) => ({ each, distance: distanceOf(name.toLowerCase(), each) }))
    .filter(({ each, distance }) => distance <= differencesOf(name, each))
    .toSorted((a, b) => a.distance - b.distance);
  return nearest?.each ?? null;
}

function differencesOf(name: string, known: string): number {
  return Math.max(name.length, known.length) * DIFFERENCES_PER_LETTER;
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
