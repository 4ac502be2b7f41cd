/**
 * Declarations of reporting tables. A declaration is the only place with a table's columns. Its select, the Parquet schema,
 * the decoder, `schema.json`, the audit's structure checks and the loop tests follow from it.
 */
import type { FieldKind } from '../fields.ts';

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
  /** Few different values in many rows: worth a Parquet dictionary (`design`: off for near-unique columns). */
  readonly repeats: boolean;
  /**
   * Each value is much like the one in the row before: an id counted up, a link of which only the end differs. Worth
   * an encoding that writes the difference; only for ids and texts.
   */
  readonly near: boolean;
  /** Cents that the file holds as a decimal with this many digits after the point, in the currency itself. */
  readonly decimals?: number;
  /** True if no value has a part of a second, so that texts show none. */
  readonly whole_seconds?: boolean;
  /** The SQL that its values are read with; null where each row has the same value, which the writer puts in. */
  readonly from: string | null;
}

export interface Table {
  readonly name: string;
  /** What one row is, as in the contract's heading: "one row per cost entry". */
  readonly grain: string;
  readonly description: string;
  /** The columns that identify a row, and the order of the rows in the file. */
  readonly key: readonly string[];
  /** `snapshot_id` first, then the published order of the contract. */
  readonly columns: readonly Column[];
  /**
   * What its rows are selected from, and their order; null where `src/figures` makes them. `:account_id`, `:as_of` and
   * `:generated_at` are the account, the day and the moment of the snapshot.
   */
  readonly from: string | null;
  /**
   * Its rows on the bare ledger, past every view, of the account `$1`: the second opinion on a table that lost most of its
   * rows. Left out where it has no rows of its own in the ledger.
   */
  readonly bare?: string;
  /** The most rows of a row group of its file; the writer's own number if omitted. A page of a list reads one group, whose pages are small. */
  readonly group_rows?: number;
}

interface ColumnOptions {
  readonly values?: readonly string[];
  readonly references?: string;
  readonly never_empty?: true;
  readonly repeats?: boolean;
  readonly near?: boolean;
  readonly decimals?: number;
  readonly whole_seconds?: boolean;
  /** The column of the same name if omitted. */
  readonly from?: string | null;
}

/** All digits of an amount that the file holds as a decimal: as many as 64 bits can always hold. */
export const DECIMAL_DIGITS = 18;

/** Declares one column; `kind` is written as the contract writes it, `?` marking a nullable one. */
export function column(
  name: string,
  kind: FieldKind | `${FieldKind}?`,
  description: string,
  options: ColumnOptions = {},
): Column {
  const nullable = kind.endsWith('?');
  return {
    name,
    kind: (nullable ? kind.slice(0, -1) : kind) as FieldKind, // the parameter's type allows nothing else
    nullable,
    description,
    ...options,
    repeats: options.repeats ?? options.values !== undefined,
    near: options.near ?? false,
    from: options.from === undefined ? name : options.from,
  };
}

/**
 * The field id, in every Parquet file, of the column at this index of the declaration. Within a version columns are only
 * added at the end, so the id of a column never changes.
 */
export function fieldId(index: number): number {
  return index + 1;
}

type DeclaredField = (name: string) => Column;
type Declaration = Parameters<typeof column> extends [string, ...infer Rest] ? Rest : never;

/** Declares a column that `columnsOf` names. */
export function field(...declaration: Declaration): DeclaredField {
  return (name) => column(name, ...declaration);
}

/** The same with few different values in many rows, which are worth a Parquet dictionary. */
export function repeating(...[kind, description, options]: Declaration): DeclaredField {
  return field(kind, description, { ...options, repeats: true });
}

/** The columns of a table by their names, in published order. */
export function columnsOf(fields: Readonly<Record<string, DeclaredField>>): readonly Column[] {
  return Object.entries(fields).map(([name, named]) => named(name));
}

const snapshotIdSentence = 'The snapshot this row belongs to; joins every table to the `snapshot` row.';

/**
 * Declares a table and adds `snapshot_id`, which every table has, as its first column. Rows are in the order of their key,
 * so the first column of the key suits delta encoding.
 */
export function defineTable(table: Table): Table {
  const snapshotId = column('snapshot_id', 'string', snapshotIdSentence, {
    from: null,
    repeats: true,
    ...(table.name !== 'snapshot' && { references: 'snapshot' }),
  });
  const columns = table.columns.map((each) =>
    each.name === table.key[0] && each.kind === 'id' ? { ...each, near: true } : each,
  );
  return { ...table, columns: [snapshotId, ...columns] };
}
