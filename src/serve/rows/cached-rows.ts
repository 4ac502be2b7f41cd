/** The rows of recent views of tables in memory: which rows a view shows, and the values of its pages. */
import { MEMORY_BUDGET } from '../../cache-budget.ts';
import { Cache } from '../../cache.ts';
import type { FieldValue, TableRows } from '../../snapshot/read/rows.ts';
import type { Column, Table } from '../../tables/table.ts';
import type { RowLimit } from '../limits/row-limit.ts';
import { type FilteredRows, filterRows, pageRows } from './filter-rows.ts';
import { PAGE_ROWS } from './row-page.ts';
import { addressOf, type RowQuery } from './row-query.ts';
import { viewOf } from './table-views.ts';

const ENTRY_BYTES = 2_048;

/** A view of an opened table. */
interface OpenedView {
  readonly table: Table;
  readonly rows: TableRows;
  /** The digest of its file. */
  readonly sha256: string;
  readonly query: RowQuery;
}

export type CachedRows = ReturnType<typeof createCachedRows>;

/**
 * Keys hold the digest of the file: the rows of a file never change. They hold the account, which alone waits for its
 * slots.
 */
export function createCachedRows(rowLimit: RowLimit) {
  const indexes = new Cache<string, FilteredRows>({
    max_bytes: MEMORY_BUDGET.row_numbers,
    bytesOf: ({ index }) => (index?.byteLength ?? 0) + ENTRY_BYTES,
  });
  const pages = new Cache<string, readonly (readonly FieldValue[])[]>({
    max_bytes: MEMORY_BUDGET.row_pages,
    bytesOf: bytesOfRows,
  });
  return {
    /** The rows that the view shows, in its order. */
    filtered(account_id: bigint, { table, rows, sha256, query }: OpenedView): Promise<FilteredRows> {
      const { amount, facets } = viewOf(table);
      const columns = rows.columns.map(({ name }) => name);
      const of = {
        table: table.name,
        columns,
        facets: facets.filter((name) => columns.includes(name)),
        amount,
      };
      const view = addressOf(query, { columns: null });
      return indexes.get(`${account_id} ${sha256} ${view}`, () =>
        rowLimit.run(account_id, rows.count, () => filterRows(rows, query, of)),
      );
    },
    /** The values of these columns on the page that the view asks for. */
    page(
      account_id: bigint,
      { rows, sha256, query }: OpenedView,
      found: FilteredRows,
      read: readonly Column[],
    ) {
      const names = read.map((column) => column.name);
      const first = (query.page - 1) * PAGE_ROWS;
      const key = `${account_id} ${sha256} ${addressOf(query, { columns: names, page: query.page })}`;
      return pages.get(key, () =>
        rowLimit.run(account_id, PAGE_ROWS, () => pageRows(rows, names, found, [first, first + PAGE_ROWS])),
      );
    },
  };
}

function bytesOfRows(rows: readonly (readonly FieldValue[])[]): number {
  let bytes = ENTRY_BYTES;
  for (const row of rows)
    for (const value of row) bytes += typeof value === 'string' ? 2 * value.length + 16 : 16;
  return bytes;
}
