/** The maximum numbers of rows in the answers of tools. */
import { boolean } from '../contract/shapes.ts';

/** The maximum number of rows of one kind in a tool's answer. */
export const MAX_ROWS = 50;

/** The output field that says whether more rows exist. */
export const has_more = boolean('True when more rows exist than are shown here.');

/** The maximum number of entries that an overview shows: with a period, and without one. */
const MAX_ENTRIES = { dated: 10, undated: 5 } as const;

/** How many entries of each kind to read: one more than is shown. */
export const ENTRIES_ASKED = { dated: MAX_ENTRIES.dated + 1, undated: MAX_ENTRIES.undated + 1 } as const;

/** The entries of the latest periods, then entries without a period, which are in no window and are often drafts. */
export function joinEntries<Row>({
  dated,
  undated,
}: Readonly<Record<keyof typeof MAX_ENTRIES, readonly Row[]>>) {
  const [latest, others] = [cut(dated, MAX_ENTRIES.dated), cut(undated, MAX_ENTRIES.undated)];
  return { rows: [...latest.rows, ...others.rows], has_more: latest.has_more || others.has_more };
}

/** The rows to show, and whether more exist. */
export function cut<Row>(rows: readonly Row[], most: number): { rows: readonly Row[]; has_more: boolean } {
  return { rows: rows.slice(0, most), has_more: rows.length > most };
}
