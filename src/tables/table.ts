/**
 * The types and functions with which reporting tables are declared. Only its declaration lists a table's columns. The select,
 * the Parquet schema, the decoder, `schema.json`, the audit's structure checks and the tests over all tables follow from it.
 */
import type { FieldKind, FieldValues } from '../fields.ts';

/**
 * `dictionary` if many rows share a few values, `plain` for almost unique values. `delta` if each value resembles the value in
 * the row before: an id that rises, a link of which only the end differs. Only for ids and texts, and only where it saves at
 * least a hundredth of the file of 300,000 entries, because some readers do not know it.
 */
type ColumnEncoding = 'plain' | 'dictionary' | 'delta';

export interface Column {
  readonly name: string;
  readonly kind: FieldKind;
  readonly nullable: boolean;
  /** One sentence for readers: meaning, unit, and when it is empty. */
  readonly description: string;
  /** All values of the column, if the contract lists them. */
  readonly values?: readonly string[];
  /** The table that this column references. */
  readonly references?: string;
  /** True for a column that is nullable only because it was added after the first release, and always has a value. */
  readonly never_empty?: true;
  /** How the writer encodes its values. */
  readonly encoding: ColumnEncoding;
  /** For cents that the file has as a decimal in the currency itself: the number of digits after the point. */
  readonly decimals?: number;
  /** True if all values are whole seconds: texts then have no fraction of a second. */
  readonly whole_seconds?: boolean;
  /** The SQL expression of its values; null if all rows have the same value, which the writer sets. */
  readonly from: string | null;
}

export interface Table<Own extends Column = Column> {
  readonly name: string;
  /** What one row is, as in the contract's heading: "one row per cost entry". */
  readonly grain: string;
  readonly description: string;
  /** The columns that identify a row, and the order of the rows in the file. */
  readonly key: readonly string[];
  /** `snapshot_id` first, then the published order of the contract. */
  readonly columns: readonly Own[];
  /**
   * The SQL after `from`, with the order of the rows; null if `src/figures` makes the rows. `:account_id`, `:as_of` and
   * `:generated_at` are the account, the day and the moment of the snapshot.
   */
  readonly from: string | null;
  /**
   * The SQL after `from` that selects its rows from the ledger's base tables, without views; `$1` is the account. The rows of a
   * table that lost most of its rows are counted with it. Omitted if the table has no rows of its own in the ledger.
   */
  readonly from_base?: string;
  /** The maximum number of rows in a row group of its file; the writer's default if omitted. */
  readonly group_rows?: number;
  /** How the audit compares its rows with those of another table; omitted if no other table has them. */
  readonly agreement?: Agreement;
  /** How the audit compares its rows with those of a base table; omitted if its SQL is written by hand. */
  readonly copied?: Copied;
}

/**
 * The columns that a reporting table copies unchanged from a base table. Its columns and those of the base table have the same
 * names, and its key is the base table's `id`. Every SQL expression is valid in PostgreSQL and in DuckDB; where the two need
 * different ones, there is a pair: that of the file, and that of the base table.
 */
export interface Copied {
  /** The base table, by which its control totals in `schema/control` are named. */
  readonly base: string;
  /** The check of the audit; one check compares all tables that name it. */
  readonly check: string;
  /** The columns by which the rows are grouped. A finding names the group. */
  readonly by: readonly string[];
  /** The groups of the base table that the file has, by figures that only the control totals have; all groups if omitted. */
  readonly only?: Readonly<Record<string, string>>;
  /** The columns that are not copied unchanged. The fingerprint is of all others, in their order. */
  readonly except: readonly string[];
  /** The columns whose filled cells are counted, by the names of these figures. */
  readonly counts: Readonly<Record<string, string | Pair>>;
  /** The columns that are added up; their figures have their names. */
  readonly sums: readonly string[];
  /** Further aggregates, by the names of these figures. */
  readonly figures?: Readonly<Record<string, string>>;
  /** The cells of columns that the file and the base table hold in different types. */
  readonly texts?: Readonly<Record<string, Pair>>;
}

type Pair = readonly [file: string, base: string];

/** The SQL, for the audit's engine, that compares the rows of a table with the same rows of another table. */
export interface Agreement {
  /** The name of the other table. */
  readonly table: string;
  /** The column of the other table with the id of the row. */
  readonly id: string;
  /** The condition on the rows that the other table has, too. */
  readonly rows: string;
  /** The columns that both tables have, as tuples of equal types. */
  readonly own: string;
  readonly its: string;
}

interface ColumnOptions {
  readonly values?: readonly string[];
  readonly references?: string;
  readonly never_empty?: true;
  /** `dictionary` if omitted for a column whose values are listed, else `plain`. */
  readonly encoding?: ColumnEncoding;
  readonly decimals?: number;
  readonly whole_seconds?: boolean;
  /** See `Column`; the column of the same name if omitted. */
  readonly from?: string | null;
}

/** The total number of digits of an amount in a decimal column: as many as always fit into 64 bits. */
export const DECIMAL_DIGITS = 18;

/** A kind as written in the contract: with `?` at its end if the column is nullable. */
export type DeclaredKind = FieldKind | `${FieldKind}?`;

/** A column whose name, kind and options are types, so that its values have a type, too. */
export type Declared<Name extends string, Kind extends DeclaredKind, Options = ColumnOptions> = Column &
  Options & {
    readonly name: Name;
    readonly kind: Kind extends `${infer Bare}?` ? Bare : Kind;
    readonly nullable: Kind extends `${string}?` ? true : false;
  };

/** The value of a cell; null only if the column may be empty. */
export type ValueOf<Each extends Column> =
  | (Each['kind'] extends 'string' ? NonNullable<Each['values']>[number] : FieldValues[Each['kind']])
  | (Each['nullable'] extends false ? never : Each['never_empty'] extends true ? never : null);

/** A row by the names of its columns. A value is null only if its column may be empty. */
export type RowOf<Of extends Table> = {
  readonly [Each in Of['columns'][number] as Each['name']]: ValueOf<Each>;
};

/** Declares one column. */
export function column<Name extends string, Kind extends DeclaredKind, const Options extends ColumnOptions>(
  name: Name,
  kind: Kind,
  description: string,
  options?: Options,
): Declared<Name, Kind, Options> {
  const nullable = kind.endsWith('?');
  const declared = {
    name,
    kind: nullable ? kind.slice(0, -1) : kind,
    nullable,
    description,
    ...options,
    encoding: options?.encoding ?? (options?.values === undefined ? 'plain' : 'dictionary'),
    from: options?.from === undefined ? name : options.from,
  };
  return declared as Declared<Name, Kind, Options>; // the kind without its mark
}

/**
 * The field id, in every Parquet file, of the column at this index of the declaration. Within a version columns are only
 * added at the end, so the id of a column never changes.
 */
export function fieldId(index: number): number {
  return index + 1;
}

type DeclaredField<Kind extends DeclaredKind = DeclaredKind, Options = ColumnOptions> = (
  name: string,
) => Declared<string, Kind, Options>;

/** Declares a column; `columnsOf` gives it its name. */
export function field<Kind extends DeclaredKind, const Options extends ColumnOptions>(
  kind: Kind,
  description: string,
  options?: Options,
): DeclaredField<Kind, Options> {
  return (name) => column(name, kind, description, options);
}

/** Declares a column with few different values in many rows, for which the writer uses a Parquet dictionary. */
export function repeating<Kind extends DeclaredKind, const Options extends ColumnOptions>(
  kind: Kind,
  description: string,
  options?: Options,
): DeclaredField<Kind, Options> {
  return (name) => ({ ...column(name, kind, description, options), encoding: 'dictionary' });
}

type Named<Fields extends Readonly<Record<string, DeclaredField>>> = {
  [Name in keyof Fields & string]: ReturnType<Fields[Name]> & { readonly name: Name };
}[keyof Fields & string];

/** The columns of a table by their names, in published order. */
export function columnsOf<Fields extends Readonly<Record<string, DeclaredField>>>(
  fields: Fields,
): readonly Named<Fields>[] {
  return Object.entries(fields).map(([name, named]) => named(name) as Named<Fields>); // each its own name
}

const snapshotIdSentence = 'The snapshot this row belongs to; joins every table to the `snapshot` row.';

/**
 * Declares a table and adds `snapshot_id`, which every table has, as its first column. Rows are in the order of their key,
 * so the first column of the key suits delta encoding, unless its values repeat.
 */
export function defineTable<Own extends Column>(
  table: Table<Own>,
): Table<Own | Declared<'snapshot_id', 'string'>> {
  const snapshotId = column('snapshot_id', 'string', snapshotIdSentence, {
    from: null,
    encoding: 'dictionary',
    ...(table.name !== 'snapshot' && { references: 'snapshot' }),
  });
  const columns = table.columns.map((each) =>
    each.name === table.key[0] && each.kind === 'id' && each.encoding === 'plain'
      ? { ...each, encoding: 'delta' as const }
      : each,
  );
  return { ...table, columns: [snapshotId, ...columns] };
}
