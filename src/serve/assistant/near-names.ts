/** Which of some names were probably meant. */

// With more of its letters wrong it is another word.
const MAX_WRONG = 1 / 3;

/** The things one of whose names is near to what was asked for, nearest first and else in their order. */
export function nearNames<Named>(
  things: readonly Named[],
  namesOf: (thing: Named) => readonly string[],
  asked: string,
): readonly Named[] {
  const wanted = asked.toLowerCase();
  return things
    .map((thing) => ({
      thing,
      share: Math.min(...namesOf(thing).map((name) => wrongShare(name.toLowerCase(), wanted))),
    }))
    .filter(({ share }) => share <= MAX_WRONG)
    .toSorted((a, b) => a.share - b.share)
    .map(({ thing }) => thing);
}

/** Which part of the letters is wrong: none where one name holds the other. */
function wrongShare(name: string, wanted: string): number {
  const held = name.includes(wanted) || wanted.includes(name);
  return held && wanted.length > 1 ? 0 : edits(name, wanted) / Math.max(name.length, wanted.length);
}

/** How many letters must be put in, taken out or changed to make one of the other. */
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
