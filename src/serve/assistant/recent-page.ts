/** The newest rows of a list, by the very query that its route pages through. */
import type { PageQuestion } from '../../ledger/lists/keyset.ts';
import { truth } from '../live/shapes.ts';

/** No answer of a tool holds more rows of a kind. */
export const MAX_ROWS = 50;

/** The field that says the rows are not all. */
export const has_more = truth('True when there are more than are shown here.');

/** The question for the rows changed last; one more than is shown tells whether there are others. */
export function newest(account_id: bigint, horizon: bigint, rows: number): PageQuestion {
  return { account_id, horizon, after: null, newestFirst: true, rows: rows + 1 };
}

/** The rows that are shown, and whether there are others. */
export function cut<Row>(rows: readonly Row[], most: number): { rows: readonly Row[]; has_more: boolean } {
  return { rows: rows.slice(0, most), has_more: rows.length > most };
}
