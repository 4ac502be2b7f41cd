/** The currency and initiative of changed entries. A comparison has only columns that differ: the later table is read. */
import type { Change } from '../../diff/change.ts';
import type { TableRows } from '../../snapshot/read/rows.ts';
import { tableNamed } from '../../tables/all.ts';
import type { Table } from '../../tables/table.ts';
import { filterRows, pageRows } from './filter-rows.ts';
import { hasOwnCurrency } from './row-cells.ts';
import type { MovedEntry } from './moves.ts';
import type { ShownEntry } from './shown-moves.ts';

const [CURRENCY, INITIATIVE] = ['currency', 'initiative_id'];

/** What the comparison does not say of a row; null if the table does not either. */
type Named = Pick<ShownEntry, 'currency' | 'initiative_id'>;

const NONE: Named = { currency: null, initiative_id: null };

interface EntryWithCells {
  readonly entry: MovedEntry;
  readonly change: Change;
}

/** The entries, each with its initiative and the currency of its amounts. `read` calls its function with the rows of a table of the later snapshot. */
export async function withCurrencies(
  entries: readonly EntryWithCells[],
  read: <Result>(table: Table, work: (rows: TableRows) => Promise<Result>) => Promise<Result>,
): Promise<readonly ShownEntry[]> {
  const found = new Map<EntryWithCells, Named>();
  for (const [name, some] of Map.groupBy(entries.filter(lacksNames), ({ entry }) => entry.table)) {
    const table = tableNamed(name);
    if (table === undefined) continue;
    const named = await read(table, (rows) => readNames(rows, table, some.map(idOf)));
    for (const each of some) {
      found.set(each, named.get(idOf(each)) ?? NONE);
    }
  }
  return entries.map((each) => ({ ...each, ...(found.get(each) ?? NONE) }));
}

/** True for a changed entry whose initiative, or the currency of an amount, the comparison does not name. */
function lacksNames({ change: { table, before, after, effects } }: EntryWithCells): boolean {
  if (before === null || after === null) return false;
  if (effects.length === 0 && !(INITIATIVE in after)) return true;
  if (CURRENCY in after) return false;
  const columns = tableNamed(table)?.columns ?? [];
  return columns.some((column) => column.name in after && hasOwnCurrency(column, columns));
}

function idOf({ change }: EntryWithCells): bigint {
  return BigInt(String(Object.values(change.key)[0]));
}

/** The initiatives and currencies of the rows with these keys, by key. */
async function readNames(
  rows: TableRows,
  { name, key: [key = ''] }: Table,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, Named>> {
  const filters = rows.columns
    .filter((column) => column.name === key)
    .map((column) => ({ column, values: new Set(ids), from: null, through: null }));
  const sums = { table: name, columns: [], facets: [], amount: null };
  const found = await filterRows(rows, { filters, sort: null }, sums);
  const names = [CURRENCY, INITIATIVE].filter((each) => rows.columns.some((column) => column.name === each));
  const values = await pageRows(rows, [key, ...names], found, [0, found.count]);
  return new Map(
    values.map(([id, ...cells]) => {
      const cell = (column: string) => cells[names.indexOf(column)] ?? null;
      const [currency, initiative] = [cell(CURRENCY), cell(INITIATIVE)];
      return [
        BigInt(String(id)),
        {
          currency: currency === null ? null : String(currency),
          initiative_id: initiative === null ? null : BigInt(String(initiative)),
        },
      ];
    }),
  );
}
