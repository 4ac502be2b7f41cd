/** The currency and initiative of changed entries. A comparison has only columns that differ: the later table is read. */
import type { Change } from '../../diff/change.ts';
import type { TableRows } from '../../snapshot/read/rows.ts';
import { tableNamed } from '../../tables/all.ts';
import type { Table } from '../../tables/table.ts';
import { filterRows, pageRows } from './filter-rows.ts';
import { shownAmount } from '../frame/shown-values.ts';
import { hasOwnCurrency } from './row-cells.ts';
import type { MovedEntry } from './moves.ts';
import type { ShownEntry } from './shown-moves.ts';

const [CURRENCY, INITIATIVE, AMOUNT, DOLLARS] = [
  'currency',
  'initiative_id',
  'amount_cents',
  'usd_amount_cents',
];

/** What the comparison does not say of a row; null if the table does not either. */
type Named = Pick<ShownEntry, 'currency' | 'initiative_id' | 'recorded'>;

const NONE: Named = { currency: null, initiative_id: null, recorded: null };

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
      const own = named.get(idOf(each)) ?? NONE;
      found.set(each, onlyDollars(each.change) ? own : { ...own, recorded: null });
    }
  }
  return entries.map((each) => ({ ...each, ...(found.get(each) ?? NONE) }));
}

/** True for a changed entry whose initiative, or the currency of an amount, the comparison does not name. */
function lacksNames({ change: { table, before, after, effects } }: EntryWithCells): boolean {
  if (before === null || after === null) return false;
  if (effects.length === 0 && !(INITIATIVE in after)) return true;
  if (CURRENCY in after) return false;
  if (DOLLARS in after) return true;
  const columns = tableNamed(table)?.columns ?? [];
  return columns.some((column) => column.name in after && hasOwnCurrency(column, columns));
}

/** True if the dollars of an entry changed, and its amount in its own currency did not. */
function onlyDollars({ before, after }: Change): boolean {
  return before !== null && after !== null && DOLLARS in after && !(AMOUNT in after) && !(CURRENCY in after);
}

function idOf({ change }: EntryWithCells): bigint {
  return BigInt(String(Object.values(change.key)[0]));
}

/** The initiatives of the rows with these keys, by key. */
export async function initiativesOfRows(
  rows: TableRows,
  table: Table,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, bigint>> {
  const named = await readNames(rows, table, ids);
  return new Map(
    [...named].flatMap(([id, { initiative_id }]) => (initiative_id === null ? [] : [[id, initiative_id]])),
  );
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
  const names = [CURRENCY, INITIATIVE, AMOUNT].filter((each) =>
    rows.columns.some((column) => column.name === each),
  );
  const values = await pageRows(rows, [key, ...names], found, [0, found.count]);
  return new Map(
    values.map(([id, ...cells]) => {
      const cell = (column: string) => cells[names.indexOf(column)] ?? null;
      const [currency, initiative, amount] = [cell(CURRENCY), cell(INITIATIVE), cell(AMOUNT)];
      const isForeign = currency !== null && currency !== 'USD' && typeof amount === 'bigint';
      return [
        BigInt(String(id)),
        {
          currency: currency === null ? null : String(currency),
          initiative_id: initiative === null ? null : BigInt(String(initiative)),
          recorded: isForeign ? shownAmount(amount, String(currency)) : null,
        },
      ];
    }),
  );
}
