/** The logical digests of a snapshot: counts, sums, minimums and maximums of its tables, independent of the file format. */
import type { Dialect } from '../tables/dialects.ts';
import type { Table } from '../tables/table.ts';
import { factIn, factsOf, type Fact, MEASURES } from './facts.ts';

/** The measures of a column; its kind decides which it has. A measure is null if the column has no values. */
export interface ColumnDigest {
  readonly name: string;
  readonly sum?: string | null | undefined;
  readonly nulls?: string | null | undefined;
  readonly least?: string | null | undefined;
  readonly greatest?: string | null | undefined;
}

export interface TableDigest {
  readonly name: string;
  readonly rows: string;
  readonly columns: readonly ColumnDigest[];
}

/** All values are texts, because a sum may be too large for an exact JSON number. */
export interface SnapshotDigests {
  readonly snapshot_id: string;
  readonly tables: readonly TableDigest[];
}

/** The query for all facts of a table in one row, as `fact_0`, `fact_1` and so on. */
export function digestQuery(dialect: Dialect, table: Table, source: string): string {
  return `select ${selected(dialect, table, factsOf(table))} from ${source}`;
}

/** The select list of these facts, each named by its index. */
export function selected(dialect: Dialect, table: Table, facts: readonly Fact[]): string {
  return facts.map((fact, index) => `${factIn(dialect, table, fact)} as fact_${index}`).join(', ');
}

/** The digest of a table from the row of its query. */
export function digestOf(table: Table, row: Readonly<Record<string, string | null>>): TableDigest {
  const facts = factsOf(table).map((fact, index) => ({ ...fact, value: row[`fact_${index}`] ?? '' }));
  const columns = table.columns.map(({ name }) => ({
    name,
    ...Object.fromEntries(
      facts
        .filter(({ column }) => column === name)
        .map(({ measure, value }) => [measure, value === '' ? null : value]),
    ),
  }));
  return {
    name: table.name,
    rows: facts[0]?.value ?? '',
    columns: columns.filter((column) => MEASURES.some((measure) => measure in column)),
  };
}
