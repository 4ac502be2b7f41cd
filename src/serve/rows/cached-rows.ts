/** The rows of recent views of tables in memory: which rows a view shows, and the values of its pages. */
import { MEMORY_BUDGET } from '../../cache-budget.ts';
import { Cache } from '../../cache.ts';
import type { FieldValue, TableRows } from '../../snapshot/read/rows.ts';
import { type Reporting, tableNamed } from '../../tables/all.ts';
import type { Column, Table } from '../../tables/table.ts';
import type { RowLimit } from '../limits/row-limit.ts';
import { type FilteredRows, filterRows, pageRows, sortRows } from './filter-rows.ts';
import { createPatience } from './patience.ts';
import { PAGE_ROWS } from './row-page.ts';
import { addressOf, readRowQuery, type RowQuery } from './row-query.ts';
import { viewOf } from './table-views.ts';

const ENTRY_BYTES = 2_048;
/** Filters, sums and an order of more rows may take longer than a reader waits for a page. */
const LARGE_ROWS = 500_000;

/** A view of an opened table. */
interface OpenedView {
  readonly table: Table;
  readonly rows: TableRows;
  /** The digest of its file. */
  readonly sha256: string;
  readonly query: RowQuery;
}

interface StoredRows extends Pick<OpenedView, 'rows' | 'sha256'> {
  readonly name: keyof Reporting;
}

export type CachedRows = ReturnType<typeof createCachedRows>;

/**
 * Keys hold the digest of the file: the rows of a file never change. They hold the account, which alone waits for its
 * slots.
 */
export function createCachedRows(rowLimit: RowLimit, wait?: () => Promise<void>) {
  const patience = createPatience(wait);
  /** How many rows were read of each view that is being prepared. */
  const progress = new Map<string, number>();
  const indexes = new Cache<string, FilteredRows>({
    max_bytes: MEMORY_BUDGET.row_numbers,
    bytesOf: ({ index }) => (index?.byteLength ?? 0) + ENTRY_BYTES,
  });
  const pages = new Cache<string, readonly (readonly FieldValue[])[]>({
    max_bytes: MEMORY_BUDGET.row_pages,
    bytesOf: bytesOfRows,
  });
  /** Rows in an order have the sums of the same rows in the order of the file: those are read once for all orders. */
  async function filtered(
    account_id: bigint,
    view: OpenedView,
    shown = keyOf(account_id, view),
  ): Promise<FilteredRows> {
    const { table, rows, query } = view;
    const { sort } = query;
    const { amount, facets } = viewOf(table);
    const columns = rows.columns.map(({ name }) => name);
    const of = {
      table: table.name,
      columns,
      facets: facets.filter((name) => columns.includes(name)),
      amount,
    };
    const onRows = (count: number): void => void progress.set(shown, count);
    const limited = async (read: () => Promise<FilteredRows>): Promise<FilteredRows> => {
      try {
        return await rowLimit.run(account_id, rows.count, read);
      } finally {
        progress.delete(shown);
      }
    };
    return await indexes.get(keyOf(account_id, view), async () => {
      if (sort === null) return await limited(() => filterRows(rows, query, of, onRows));
      const found = await filtered(account_id, { ...view, query: { ...query, sort: null } }, shown);
      return await limited(() => sortRows(rows, found, sort, onRows));
    });
  }

  return {
    /** The rows that the view shows, in its order. */
    filtered,
    /** The same; of a large table, how many rows were read so far if they are not ready while the reader waits. */
    async orProgress(
      account_id: bigint,
      view: OpenedView,
    ): Promise<FilteredRows | { readonly read: number }> {
      const key = keyOf(account_id, view);
      patience.requireUnfailed(key);
      const isReady = indexes.peek(key) !== undefined || view.rows.count <= LARGE_ROWS;
      if (isReady) return await filtered(account_id, view);
      const found = indexes.has(key) ? null : await patience.unlessSlow(key, filtered(account_id, view));
      return found ?? { read: progress.get(key) ?? 0 };
    },
    /** Reads the rows of a table before a person asks. Of a large table, people are shown how far the read is: nothing is read. */
    async prepare(account_id: bigint, { name, ...file }: StoredRows): Promise<void> {
      const table = tableNamed(name);
      const query = readRowQuery(new URLSearchParams(), table, file.rows.columns);
      if (file.rows.count <= LARGE_ROWS) await filtered(account_id, { ...file, table, query });
    },
    /** The values of the column that differ from the text at most in upper and lower case; empty for a large table. */
    async spellings(
      account_id: bigint,
      { rows, table }: Pick<OpenedView, 'rows' | 'table'>,
      { column, text }: { readonly column: Column; readonly text: string },
    ): Promise<readonly string[]> {
      if (rows.count > LARGE_ROWS) return [];
      const wanted = text.toLowerCase();
      const filters = [{ column, values: new Set<never>(), contains: [wanted], from: null, through: null }];
      const sums = { table: table.name, columns: [column.name], facets: [column.name], amount: null };
      const { facets } = await rowLimit.run(account_id, rows.count, () =>
        filterRows(rows, { filters, sort: null }, sums),
      );
      return (facets.get(column.name) ?? [])
        .map(({ value }) => String(value))
        .filter((value) => value.toLowerCase() === wanted);
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

function keyOf(account_id: bigint, { sha256, query }: OpenedView): string {
  return `${account_id} ${sha256} ${addressOf(query, { columns: null })}`;
}

function bytesOfRows(rows: readonly (readonly FieldValue[])[]): number {
  let bytes = ENTRY_BYTES;
  for (const row of rows)
    for (const value of row) bytes += typeof value === 'string' ? 2 * value.length + 16 : 16;
  return bytes;
}
