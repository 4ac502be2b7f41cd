/** Suggestions for a misspelt name. */

// If more than this share of the letters is wrong, the name is another word.
const MAX_WRONG_SHARE = 1 / 3;

/**
 * The things with a name similar to the requested one, the most similar first; equally similar ones keep their order.
 */
export function nearNames<Named>(
  things: readonly Named[],
  namesOf: (thing: Named) => readonly string[],
  requested: string,
): readonly Named[] {
  const lower = requested.toLowerCase();
  return things
    .map((thing) => ({
      thing,
      share: Math.min(...namesOf(thing).map((name) => wrongShare(name.toLowerCase(), lower))),
    }))
    .filter(({ share }) => share <= MAX_WRONG_SHARE)
    .toSorted((a, b) => a.share - b.share)
    .map(({ thing }) => thing);
}

/** The share of wrong letters; 0 if one name contains the other and the request has at least two letters. */
function wrongShare(name: string, lower: string): number {
  const contained = name.includes(lower) || lower.includes(name);
  return contained && lower.length > 1 ? 0 : edits(name, lower) / Math.max(name.length, lower.length);
}

/** The edit distance: how many letters to insert, delete or replace to turn one name into the other. */
function edits(from: string, to: string): number {
  let above = [...Array(to.length + 1).keys()];
  for (const [row, letter] of from.split('').entries()) {
    const line = [row + 1];
    for (const [column, other] of to.split('').entries()) {
      const changed = (above[column] ?? 0) + (letter === other ? 0 : 1);
      line.push(Math.min(changed, (above[column + 1] ?? 0) + 1, (line[column] ?? 0) + 1));
    }
    above = line;
  }
  return above.at(-1) ?? 0;
}
