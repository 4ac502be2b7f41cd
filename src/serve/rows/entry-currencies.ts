/** The currencies of changed entries. A comparison has only the columns that differ, so the table of the later snapshot is read. */
import type { Change } from '../../diff/change.ts';
import type { TableRows } from '../../snapshot/read/rows.ts';
import { tableNamed } from '../../tables/all.ts';
import type { Table } from '../../tables/table.ts';
import { filterRows, pageRows } from './filter-rows.ts';
import { hasOwnCurrency } from './row-cells.ts';
import type { MovedEntry } from './moves.ts';
import type { ShownEntry } from './shown-moves.ts';

const CURRENCY = 'currency';

interface EntryWithCells {
  readonly entry: MovedEntry;
  readonly change: Change;
}

/** The entries, each with the currency of its amounts. `read` calls its function with the rows of a table of the later snapshot. */
export async function withCurrencies(
  entries: readonly EntryWithCells[],
  read: <Result>(table: Table, work: (rows: TableRows) => Promise<Result>) => Promise<Result>,
): Promise<readonly ShownEntry[]> {
  const found = new Map<EntryWithCells, string>();
  for (const [name, some] of Map.groupBy(entries.filter(lacksCurrency), ({ entry }) => entry.table)) {
    const table = tableNamed(name);
    if (table === undefined) continue;
    const currencies = await read(table, (rows) => readCurrencies(rows, table, some.map(idOf)));
    for (const each of some) {
      const currency = currencies.get(idOf(each));
      if (currency !== undefined) found.set(each, currency);
    }
  }
  return entries.map((each) => ({ ...each, currency: found.get(each) ?? null }));
}

/** True for a changed entry with an amount in a currency that the comparison does not name. */
function lacksCurrency({ change: { table, before, after } }: EntryWithCells): boolean {
  if (before === null || after === null || CURRENCY in after) return false;
  const columns = tableNamed(table)?.columns ?? [];
  return columns.some((column) => column.name in after && hasOwnCurrency(column, columns));
}

function idOf({ change }: EntryWithCells): bigint {
  return BigInt(String(Object.values(change.key)[0]));
}

/** The currencies of the rows with these keys, by key. */
async function readCurrencies(
  rows: TableRows,
  { name, key: [key = ''] }: Table,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, string>> {
  const filters = rows.columns
    .filter((column) => column.name === key)
    .map((column) => ({ column, values: new Set(ids), from: null, through: null }));
  const sums = { table: name, columns: [], facets: [], amount: null };
  const found = await filterRows(rows, { filters, sort: null }, sums);
  const values = await pageRows(rows, [key, CURRENCY], found, [0, found.count]);
  return new Map(values.map(([id, currency]) => [BigInt(String(id)), String(currency)]));
}
