/** By how many cents a refusal is off, read from the two clauses that the audit found: they are all that it says. */

const OF_CENTS = /_cents is -?\d+|is -?\d+ cents/;
const WHOLE = /-?\d+(?= cents$|$)/;

/** The distance between the amounts that both clauses end with; null where they are about something else. */
export function centsOff({
  expected,
  found,
}: {
  readonly expected: string;
  readonly found: string;
}): number | null {
  const [wanted, given] = [WHOLE.exec(expected)?.[0], WHOLE.exec(found)?.[0]];
  if (!OF_CENTS.test(found) || wanted === undefined || given === undefined) return null;
  const off = BigInt(given) - BigInt(wanted);
  const cents = Number(off < 0n ? -off : off);
  return Number.isSafeInteger(cents) ? cents : null;
}
