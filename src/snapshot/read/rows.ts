/**
 * The rows of a snapshot's table, read from its checked Parquet file: only the requested columns and row groups. Whole
 * numbers are never turned into floating-point numbers. Memory holds the requested columns of one row group.
 */
import { MEMORY_BUDGET } from '../../cache-budget.ts';
import { Cache } from '../../cache.ts';
import { CrossfootError } from '../../errors.ts';
import type { FieldKind, FieldValues } from '../../fields.ts';
import { utcDay } from '../../figures/calendar.ts';
import type { StoredValue } from '../../parquet/column-pages.ts';
import { type OpenFile, openFile, type ParquetSource } from '../../parquet/open-file.ts';
import { readColumns } from '../../parquet/read-columns.ts';
import type { Column, RowOf, Table } from '../../tables/table.ts';
import { tableFile } from '../format/keys.ts';
import { DAY } from '../../instant.ts';

/** A value as its column's kind says: days are `YYYY-MM-DD`, instants as an `Instant`. */
export type FieldValue = FieldValues[FieldKind] | null;

/** Rows of the file in its order; the columns in the order of the request. */
export interface RowPiece<Columns = readonly (readonly FieldValue[])[]> {
  /** The numbers of the rows in the file, from 0; absent if they follow one another. */
  readonly numbers?: Uint32Array;
  /** The number of the first row in the file, from 0. */
  readonly first: number;
  readonly rows: number;
  readonly columns: Columns;
}

export interface RowRange {
  /** The first row, from 0; the first of the file if omitted. */
  readonly from?: number;
  /** The end of the rows, not included; the end of the file if omitted. */
  readonly to?: number;
  /** Rows of other numbers may be left out; the numbers ascend. */
  readonly at?: Uint32Array;
  /** Rows whose values do not pass all of these tests, by column, may be left out: their other columns are then not decoded. */
  readonly where?: Readonly<Record<string, (value: FieldValue) => boolean>>;
}

/** The number of a row of a piece. */
export function numberOf({ numbers, first }: Pick<RowPiece, 'numbers' | 'first'>, row: number): number {
  return numbers?.[row] ?? first + row;
}

/** A table whose rows can be read. */
export interface TableRows {
  readonly count: number;
  /** The columns that the file has: an older file lacks those that were added later. */
  readonly columns: readonly Column[];
  /** The row groups of the file. `least` and `greatest`: of a column of ids or instants in the group; null if unknown. */
  readonly groups: readonly {
    readonly first: number;
    readonly rows: number;
    readonly least: (column: string) => bigint | null;
    readonly greatest: (column: string) => bigint | null;
  }[];
  /** Called between two pieces, so that other requests are answered meanwhile. */
  readonly turn: () => Promise<void>;
  /** The values of these columns, piece by piece, in the order of the file. */
  read(names: readonly string[], range?: RowRange): AsyncGenerator<RowPiece>;
}

/** The rows of a declared table: the values that are read have the types of their columns. */
export interface RowsOf<Of extends Table> extends TableRows {
  read<const Names extends readonly (keyof RowOf<Of> & string)[]>(
    names: Names,
    range?: RowRange,
  ): AsyncGenerator<
    RowPiece<{ readonly [Place in keyof Names]: readonly (RowOf<Of>[Names[Place]] & FieldValue)[] }>
  >;
}

/** The value of a row in a column that was read. */
export function cellAt<Value>(values: readonly Value[], row: number): Value {
  const value = values[row];
  if (value === undefined) throw new RangeError(`a column was read without row ${row}`);
  return value;
}

/**
 * Opens tables; `turn` yields to other work between two columns. Footers are cached by the digest of the file: another
 * snapshot with the same bytes has the same footer.
 */
export function rowReader(turn: () => Promise<void>) {
  const footers = new Cache<string, OpenFile>({
    max_bytes: MEMORY_BUDGET.footers,
    bytesOf: ({ held_bytes }) => held_bytes,
  });
  return async <Of extends Table>(digest: string, source: ParquetSource, table: Of): Promise<RowsOf<Of>> =>
    rowsOf(await footers.get(digest, () => openFile(source)), source, table, turn) as RowsOf<Of>; // each value is checked
}

function rowsOf(file: OpenFile, source: ParquetSource, table: Table, turn: () => Promise<void>): TableRows {
  return {
    count: file.rows,
    columns: table.columns.filter(({ name }) => hasColumn(file, name)),
    groups: file.groups.map(({ first, rows, bounds }) => ({
      first,
      rows,
      least: (name) => integerOf(bounds(name).least),
      greatest: (name) => integerOf(bounds(name).greatest),
    })),
    turn,
    async *read(names, { from = 0, to = file.rows, at, where } = {}) {
      const typed = names.map((name) => typedBy(columnOf(table, name, file), table));
      const tests =
        where &&
        Object.entries(where).map(([name, test]) => {
          const valueOf = valueBy(columnOf(table, name, file), table);
          return [name, (value: StoredValue) => test(valueOf(value))] as const;
        });
      const chosen = { file, from, to, at, where: tests && Object.fromEntries(tests) };
      let first = from;
      for await (const piece of readColumns(source, names, turn, chosen)) {
        const columns = piece.columns.map((values, index) => (typed[index] ?? untyped)(values));
        yield { ...piece, first, columns };
        first += piece.rows;
      }
    },
  };
}

function integerOf(bound: StoredValue): bigint | null {
  return typeof bound === 'bigint' ? bound : null;
}

function hasColumn({ metadata }: OpenFile, name: string): boolean {
  return metadata.schema.some((element) => element.name === name);
}

function columnOf(table: Table, name: string, file: OpenFile): Column {
  const column = table.columns.find((each) => each.name === name);
  if (column === undefined) throw new RangeError(`${table.name} has no column ${name}`);
  if (hasColumn(file, name)) return column;
  // An empty value would say that the ledger had none.
  throw new CrossfootError(
    'parameter_refused',
    `This snapshot was built before ${table.name} had the column ${name}; ask for a newer snapshot.`,
  );
}

const TYPES = {
  string: 'string',
  text: 'string',
  json: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  date: 'number',
  timestamp: 'bigint',
  id: 'bigint',
  cents: 'bigint',
} as const satisfies Record<FieldKind, string>;

/** Checks the stored values of a column, and converts them in their array. */
function typedBy(column: Column, table: Table): (values: StoredValue[]) => FieldValue[] {
  const valueOf = valueBy(column, table);
  return (values) => {
    for (let row = 0; row < values.length; row += 1) values[row] = valueOf(values[row]);
    return values as FieldValue[]; // each was checked
  };
}

/** Checks a stored value, and converts it: a decimal would arrive as a float, so a value of another type is refused. */
function valueBy(
  { name, kind, nullable, never_empty }: Column,
  table: Table,
): (value: StoredValue) => FieldValue {
  const days = new Map<number, string>();
  const dayOf = (value: number): string => {
    let day = days.get(value);
    if (day === undefined) days.set(value, (day = utcDay(BigInt(value) * DAY)));
    return day;
  };
  return (value) => {
    if (value === null || value === undefined) {
      if (!nullable || never_empty === true) {
        throw notAsDeclared(table, `the column ${name} has an empty value`);
      }
      return null;
    }
    if (typeof value !== TYPES[kind]) {
      throw notAsDeclared(table, `a value of ${name} is a ${typeof value}, expected a ${TYPES[kind]}`);
    }
    return kind === 'date' && typeof value === 'number' ? dayOf(value) : value;
  };
}

/** No audited file has such a value: the audit refuses it. */
function notAsDeclared({ name }: Table, found: string): CrossfootError {
  const key = tableFile(name);
  return new CrossfootError('file_corrupt', `${key}: ${found}; its rows are not served.`, {
    hint: 'Run npx --no crossfoot verify on the snapshot. Meanwhile read another snapshot, or build a new one.',
    data: { key },
  });
}

function untyped(): never {
  throw new RangeError('more columns were read than requested');
}
