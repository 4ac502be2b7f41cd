/** Finds the known name that is most similar to a mistyped one, for "did you mean". */

/** The part of a name's letters that may differ: four of ten. */
const DIFFERENCES_PER_LETTER = 0.4;

/** The most similar known name; null if none is similar enough. */
export function nearestOf(name: string, known: readonly string[]): string | null {
  const [nearest] = known
    // A distance is at least the difference of the lengths. So a name of a million letters costs nothing.
    .filter((each) => Math.abs(name.length - each.length) <= differencesOf(name, each))
    .map((each) => ({ each, distance: distanceOf(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ each, distance }) => distance <= differencesOf(name, each))
    .toSorted((a, b) => a.distance - b.distance);
  return nearest?.each ?? null;
}

function differencesOf(name: string, known: string): number {
  return Math.max(name.length, known.length) * DIFFERENCES_PER_LETTER;
}

/** The smallest number of letters to add, remove, change, or exchange with their neighbour. */
function distanceOf(from: string, to: string): number {
  const [a, b] = [Array.from(from), Array.from(to)];
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, length) => length);
  for (const [index, letter] of a.entries()) {
    const next = [index + 1];
    for (const [column, other] of b.entries()) {
      const changed = (row[column] ?? 0) + (letter === other ? 0 : 1);
      const isExchanged = letter === b[column - 1] && other === a[index - 1];
      const exchanged = isExchanged ? (before[column - 1] ?? 0) + 1 : changed;
      next.push(Math.min(changed, exchanged, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}
