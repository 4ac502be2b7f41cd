/**
 * Pages of a list as of a snapshot. The list's companion table has its rows in the order of the list: change time,
 * then id.
 */
import { COMPANIONS, LATER_COLUMNS, type ListedCompanion } from '../../tables/companions.ts';
import { cellAt, type RowPiece, type RowsOf, type TableRows } from '../../snapshot/read/rows.ts';
import type { Column, Declared, RowOf, Table } from '../../tables/table.ts';
import type { SnapshotFiles } from './snapshot-files.ts';
import type { ListPage, MostEntries } from './source.ts';
import type { Instant } from '../../instant.ts';

/** Which rows of a frozen list to read; all changes if `horizon` is omitted. */
export type FrozenPage = ListPage & { readonly horizon?: Instant | undefined };

/** The table of any list. */
type Listed = Table<Declared<'updated_at', 'timestamp'> | Declared<'id', 'id'> | Column>;

type ColumnsOf<Name extends ListedCompanion> = (typeof COMPANIONS)[Name]['columns'][number];

/** A row of a list. It also has the fields of JSON, parsed. */
export type FrozenRecord<Name extends ListedCompanion> = Omit<
  RowOf<(typeof COMPANIONS)[Name]>,
  'snapshot_id' | Extract<ColumnsOf<Name>, { readonly kind: 'json' }>['name']
>;

/** A condition on one column. */
interface Filter {
  readonly column: string;
  readonly holds: (value: unknown) => boolean;
}

/** Reads a page, oldest change first. For rows that do not match, only the columns of the filters are read. */
export async function readFrozenPage<Name extends ListedCompanion>(
  files: SnapshotFiles,
  name: Name,
  page: FrozenPage,
  filters: Readonly<Record<string, unknown>>,
): Promise<readonly FrozenRecord<Name>[]> {
  const rows: RowsOf<Listed> = await files.companion(name);
  const columns = columnsOf(name, rows);
  const wanted = filtersOf(filters);
  const found: FrozenRecord<Name>[] = [];
  const { after, updated_since = null } = page;
  const since = after === null ? updated_since : after.updated_at;
  for (const group of rows.groups) {
    const greatest = group.greatest('updated_at');
    if (since !== null && greatest !== null && greatest < since) continue;
    const matches = await matchesIn(rows, group, page, wanted);
    const needed = matches.slice(0, page.rows - found.length);
    const [first] = needed;
    const last = needed.at(-1);
    if (first === undefined || last === undefined) continue;
    const names = columns.map((column) => column.name);
    const shown = new Set(needed);
    for await (const piece of rows.read(names, { from: first, to: last + 1 })) {
      for (let row = 0; row < piece.rows; row += 1) {
        if (shown.has(piece.first + row)) found.push(rowOf(columns, piece, row));
      }
    }
    if (found.length === page.rows) break;
  }
  return found;
}

/** The columns of the list; of those that were added later, the ones that the file has. */
function columnsOf(name: ListedCompanion, rows: TableRows): readonly Column[] {
  const columns: readonly Column[] = COMPANIONS[name].columns;
  return columns.filter(
    (column) =>
      column.name !== 'snapshot_id' &&
      (!LATER_COLUMNS.includes(column.name) || rows.columns.includes(column)),
  );
}

function rowOf<Name extends ListedCompanion>(
  columns: readonly Column[],
  piece: RowPiece,
  row: number,
): FrozenRecord<Name> {
  const cells = columns.map(({ name, kind }, index) => {
    const value = piece.columns[index]?.[row] ?? null;
    return [name, kind === 'json' ? (JSON.parse(String(value)) as unknown) : value];
  });
  return Object.fromEntries(cells) as FrozenRecord<Name>; // the columns of the list
}

/** An entry's index in the file, and the values by which entries are sorted. */
interface Found {
  readonly number: number;
  readonly start: string;
  readonly id: bigint;
}

/** The entries of an initiative with the latest periods, and those without a period, the highest ids first. */
export async function readFrozenLatest<Name extends 'cost_entries' | 'value_entries'>(
  files: SnapshotFiles,
  name: Name,
  initiative_id: bigint,
  most: MostEntries,
): Promise<Readonly<Record<keyof MostEntries, readonly FrozenRecord<Name>[]>>> {
  const rows = await files.companion<'cost_entries' | 'value_entries'>(name);
  const dated: Found[] = [];
  const undated: Found[] = [];
  for await (const { first, columns } of rows.read(['initiative_id', 'period_start', 'id'])) {
    const [of, starts, ids] = columns;
    for (const [row, owner] of of.entries()) {
      if (owner !== initiative_id) continue;
      const start = cellAt(starts, row);
      const found = { number: first + row, start: start ?? '', id: cellAt(ids, row) };
      if (start === null) keepLatest(undated, found, most.undated);
      else keepLatest(dated, found, most.dated);
    }
  }
  const columns = columnsOf(name, rows);
  const names = columns.map((column) => column.name);
  const recordsOf = async ({ number }: Found): Promise<FrozenRecord<Name>[]> => {
    const found: FrozenRecord<Name>[] = [];
    const any: TableRows = rows;
    for await (const piece of any.read(names, { from: number, to: number + 1 })) {
      found.push(rowOf(columns, piece, 0));
    }
    return found;
  };
  return {
    dated: (await Promise.all(dated.map(recordsOf))).flat(),
    undated: (await Promise.all(undated.map(recordsOf))).flat(),
  };
}

/** Adds an entry to the latest ones, and drops the last if there are too many. */
function keepLatest(latest: Found[], found: Found, most: number): void {
  const at = latest.findIndex(
    ({ start, id }) => start < found.start || (start === found.start && id < found.id),
  );
  latest.splice(at === -1 ? latest.length : at, 0, found);
  if (latest.length > most) latest.pop();
}

/** The numbers of the rows of a group that the page may show, in their order. */
async function matchesIn(
  rows: RowsOf<Listed>,
  group: TableRows['groups'][number],
  { after, updated_since, horizon }: FrozenPage,
  filters: readonly Filter[],
): Promise<readonly number[]> {
  const names = ['updated_at', 'id', ...filters.map(({ column }) => column)] as const;
  const matches: number[] = [];
  for await (const { first, rows: count, columns } of rows.read(names, {
    from: group.first,
    to: group.first + group.rows,
  })) {
    const [changes, ids, ...values] = columns;
    for (let row = 0; row < count; row += 1) {
      const updated_at = cellAt(changes, row);
      if (updated_since !== undefined && updated_at < updated_since) continue;
      if (horizon !== undefined && updated_at >= horizon) continue;
      if (after !== null) {
        if (updated_at < after.updated_at) continue;
        if (updated_at === after.updated_at && cellAt(ids, row) <= after.id) continue;
      }
      if (filters.every(({ holds }, index) => holds(values[index]?.[row]))) matches.push(first + row);
    }
  }
  return matches;
}

/** The filters of a list's query, by the columns that they compare. */
function filtersOf(filters: Readonly<Record<string, unknown>>): readonly Filter[] {
  return Object.entries(filters).flatMap(([name, wanted]): Filter[] => {
    // A snapshot has no sample rows, and `readFrozenPage` handles `updated_since`.
    if (wanted === undefined || name === 'updated_since' || name === 'include_sample') return [];
    if (name === 'period_from' && typeof wanted === 'string') return [day((start) => start >= wanted)];
    if (name === 'period_to' && typeof wanted === 'string') return [day((start) => start <= wanted)];
    return [{ column: name, holds: (value) => value === wanted }];
  });
}

/** A condition on the first day of a period; an entry without a period does not meet it. */
function day(holds: (start: string) => boolean): Filter {
  return { column: 'period_start', holds: (value) => typeof value === 'string' && holds(value) };
}
