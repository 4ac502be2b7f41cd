/** Finds the rows of a view: reads only the columns that its filters, order and sums need. */
import { openRowSums, type FacetSum, type RowSums, type RowTotal } from '../../figures/row-totals.ts';
import { type FieldValue, numberOf, type TableRows } from '../../snapshot/read/rows.ts';
import type { ColumnFilter, RowOrder, RowQuery } from './row-query.ts';
import { compareValues, sortedPlaces } from './sort-rows.ts';

/** The rows of a view, without their values. */
export interface FilteredRows {
  readonly count: number;
  /** Their numbers in the file, in the order of the view; null for all rows in the order of the file. */
  readonly index: Uint32Array | null;
  readonly totals: readonly RowTotal[];
  readonly facets: ReadonlyMap<string, readonly FacetSum[]>;
}

interface SumsOf {
  readonly table: string;
  readonly columns: readonly string[];
  readonly facets: readonly string[];
  readonly amount: string | null;
}

/** Reads the rows of a view; `onRows` receives the number of rows of the file that were read. */
export async function filterRows(
  rows: TableRows,
  { filters, sort }: Pick<RowQuery, 'filters' | 'sort'>,
  of: SumsOf,
  onRows: (count: number) => void = () => undefined,
): Promise<FilteredRows> {
  const sums = openRowSums(of);
  const names = [...new Set([...filters.map(({ column }) => column.name), ...sums.needs])];
  const all = filters.length === 0;
  const numbers: number[] = [];
  let count = 0;
  if (names.length === 0) count = rows.count;
  else {
    for await (const piece of readMatching(rows, names, filters)) {
      const values = new Map(names.map((name, column) => [name, piece.columns[column] ?? []] as const));
      const chosen = chosenRows(piece.rows, filters, values);
      count += chosen.length;
      onRows(numberOf(piece, piece.rows - 1) + 1);
      await rows.turn();
      addSums(sums, values, chosen);
      await rows.turn();
      if (all) continue;
      for (const row of chosen) numbers.push(numberOf(piece, row));
    }
  }
  const index = all ? null : Uint32Array.from(numbers);
  const found = { count, index, totals: sums.totals(), facets: sums.facets() };
  return sort === null ? found : await sortRows(rows, found, sort, onRows);
}

/** The same rows in another order: of each row, only the value that orders it is read. */
export async function sortRows(
  rows: TableRows,
  found: FilteredRows,
  sort: RowOrder,
  onRows: (count: number) => void = () => undefined,
): Promise<FilteredRows> {
  const { index } = found;
  const keys: FieldValue[] = [];
  for await (const piece of rows.read([sort.column.name], index === null ? {} : { at: index })) {
    const values = piece.columns[0] ?? [];
    for (let row = 0; row < piece.rows; row += 1) {
      if (index === null || index[keys.length] === numberOf(piece, row)) keys.push(values[row] ?? null);
    }
    onRows(numberOf(piece, piece.rows - 1) + 1);
    await rows.turn();
  }
  const order = await sortedPlaces(keys, sort, rows.turn);
  return { ...found, index: index === null ? order : order.map((at) => index[at] ?? 0) };
}

/** The rows of the row groups in which a row may match all filters, by the least and the greatest value of each. */
async function* readMatching(
  rows: TableRows,
  names: readonly string[],
  filters: readonly ColumnFilter[],
): ReturnType<TableRows['read']> {
  if (filters.length === 0) return yield* rows.read(names);
  const where = Object.fromEntries(
    filters.map(({ column: { name } }) => {
      const own = filters.filter(({ column }) => column.name === name);
      return [name, (value: FieldValue) => own.every((filter) => holds(filter, value))];
    }),
  );
  for (const group of rows.groups) {
    if (!filters.every((filter) => mayHold(filter, group))) continue;
    yield* rows.read(names, { from: group.first, to: group.first + group.rows, where });
  }
}

function mayHold(
  { column, values, from, through }: ColumnFilter,
  group: TableRows['groups'][number],
): boolean {
  const [least, greatest] = [group.least(column.name), group.greatest(column.name)];
  if (least === null || greatest === null) return true;
  if (typeof from === 'bigint' && greatest < from) return false;
  if (typeof through === 'bigint' && least > through) return false;
  // The bounds of a group say nothing of its empty values.
  const inside = (value: FieldValue): boolean =>
    typeof value !== 'bigint' || (value >= least && value <= greatest);
  return values.size === 0 || [...values].some(inside);
}

function addSums(
  sums: RowSums,
  values: ReadonlyMap<string, readonly FieldValue[]>,
  chosen: readonly number[],
): void {
  sums.add(
    sums.needs.map((name) => values.get(name) ?? []),
    chosen,
  );
}

function chosenRows(
  rows: number,
  filters: readonly ColumnFilter[],
  values: ReadonlyMap<string, readonly FieldValue[]>,
): readonly number[] {
  let chosen = Array.from({ length: rows }, (_, row) => row);
  for (const filter of filters) {
    const column = values.get(filter.column.name) ?? [];
    chosen = chosen.filter((row) => holds(filter, column[row] ?? null));
  }
  return chosen;
}

function holds({ values, not, contains, from, through }: ColumnFilter, value: FieldValue): boolean {
  if ((values.size > 0 && !values.has(value)) || not?.has(value) === true) return false;
  if (contains !== undefined && contains.length > 0) {
    // A missing value contains nothing.
    const text = value === null ? '' : String(value).toLowerCase();
    if (!contains.every((part) => text.includes(part))) return false;
  }
  if (from === null && through === null) return true;
  // A missing value lies in no range.
  if (value === null) return false;
  return (
    (from === null || compareValues(value, from) >= 0) &&
    (through === null || compareValues(value, through) <= 0)
  );
}

/** The values of a page of the view, row by row. */
export async function pageRows(
  rows: TableRows,
  names: readonly string[],
  { index, count }: Pick<FilteredRows, 'index' | 'count'>,
  [first, end]: readonly [first: number, end: number],
): Promise<readonly (readonly FieldValue[])[]> {
  const last = Math.min(end, count);
  const wanted = Array.from({ length: Math.max(0, last - first) }, (_, ahead) =>
    index === null ? first + ahead : (index[first + ahead] ?? 0),
  );
  const found = new Map<number, readonly FieldValue[]>();
  const at = Uint32Array.from(new Set(wanted)).toSorted();
  const shown = new Set(at);
  // One read of all: it opens each column of a row group once, and decodes only the pages that hold these rows.
  for await (const piece of rows.read(names, { from: at.at(0) ?? 0, to: (at.at(-1) ?? -1) + 1, at })) {
    for (let offset = 0; offset < piece.rows; offset += 1) {
      const row = numberOf(piece, offset);
      if (!shown.has(row)) continue;
      found.set(
        row,
        piece.columns.map((values) => values[offset] ?? null),
      );
    }
  }
  return wanted.map((row) => found.get(row) ?? []);
}
