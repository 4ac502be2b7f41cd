/** The known name that is nearest to a mistaken one. */

/** How many letters may differ, for each four of the name. */
const DIFFERENCES_PER_LETTER = 0.4;

/** Null if no name is near. */
export function nearestOf(name: string, known: readonly string[]): string | null {
  const [nearest] = known
    .map((each) => ({ each, distance: distanceOf(name.toLowerCase(), each) }))
    .filter(({ each, distance }) => distance <= Math.max(name.length, each.length) * DIFFERENCES_PER_LETTER)
    .toSorted((a, b) => a.distance - b.distance);
  return nearest?.each ?? null;
}

/** The least number of letters to add, remove or change (Levenshtein). */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, place) => place);
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
