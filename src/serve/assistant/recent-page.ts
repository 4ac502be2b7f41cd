/** The newest rows of a list, read by the query of the list's own route. */
import type { PageQuestion } from '../../ledger/lists/keyset.ts';
import { truth } from '../live/shapes.ts';

/** The maximum number of rows of one kind in a tool's answer. */
export const MAX_ROWS = 50;

/** The output field that says whether more rows exist. */
export const has_more = truth('True when more rows exist than are shown here.');

/** The question for the rows changed last. It asks for one row more than is shown, to learn whether more exist. */
export function newest(account_id: bigint, horizon: bigint, rows: number): PageQuestion {
  return { account_id, horizon, after: null, first: 'newest change', rows: rows + 1 };
}

/** The same question for the entries of the latest periods. */
export function newestPeriods(account_id: bigint, horizon: bigint, rows: number): PageQuestion {
  return { ...newest(account_id, horizon, rows), first: 'newest period' };
}

/** The rows to show, and whether more exist. */
export function cut<Row>(rows: readonly Row[], most: number): { rows: readonly Row[]; has_more: boolean } {
  return { rows: rows.slice(0, most), has_more: rows.length > most };
}
