/** What stands in the place of dollars that rows do not have, and the rows in whose place it stands. */
import type { LeftOutReason, LeftOutTable } from '../../figures/left-out-reasons.ts';
import { dollarStanding, STANDING_WORDS, UNKNOWN_STANDING } from '../../figures/left-out-words.ts';

/** The entries of the ledger that the rows of a table are. */
const ENTRIES: Readonly<Record<string, LeftOutTable>> = {
  costs: 'cost_entries',
  reported_value: 'value_entries',
};

interface Standings {
  readonly table: { readonly name: string };
  /** Why entries of the snapshot have no dollars; undefined if it does not record it. */
  readonly reasons: readonly LeftOutReason[] | undefined;
}

/** What stands in the place of the dollars of a row in that currency. */
export function standingOf({ table, reasons }: Standings, currency: string): string {
  const entries = ENTRIES[table.name];
  if (entries === undefined) return UNKNOWN_STANDING;
  return dollarStanding(reasons, { table: entries, currency });
}

/**
 * The currencies whose rows have these words in the place of dollars, alone or as one of several causes; none if that is not
 * recorded. Null for other words.
 */
export function currenciesOf(words: string, standings: Standings): readonly string[] | null {
  const wanted = words.toLowerCase();
  const own = (standings.reasons ?? []).filter(({ table }) => table === ENTRIES[standings.table.name]);
  const found = [...new Set(own.map(({ currency }) => currency))].filter((currency) => {
    const standing = standingOf(standings, currency);
    return standing === wanted || standing.split(/, | or /).includes(wanted);
  });
  return found.length > 0 || STANDING_WORDS.includes(wanted) ? found.toSorted() : null;
}
