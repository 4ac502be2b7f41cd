/** The logical digests of a snapshot: what its tables add up to, whatever they are stored in. */
import type { Dialect } from '../tables/dialects.ts';
import type { Table } from '../tables/table.ts';
import { factIn, factsOf, type Fact, MEASURES } from './facts.ts';

/** Of a column only what is measured is there; null stands for the ends and the sum of no values at all. */
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

/** All values are texts, because a sum may be larger than the numbers of JSON. */
export interface SnapshotDigests {
  readonly snapshot_id: string;
  readonly tables: readonly TableDigest[];
}

/** The query for every fact of a table in one row, each by its place: `fact_0`, `fact_1`. */
export function digestQuery(dialect: Dialect, table: Table, source: string): string {
  return `select ${selected(dialect, table, factsOf(table))} from ${source}`;
}

/** The expressions of these facts, each named by its place. */
export function selected(dialect: Dialect, table: Table, facts: readonly Fact[]): string {
  return facts.map((fact, place) => `${factIn(dialect, table, fact)} as fact_${place}`).join(', ');
}

/** The digest of a table from the row that its query answers. */
export function digestOf(table: Table, row: Readonly<Record<string, string | null>>): TableDigest {
  const facts = factsOf(table).map((fact, place) => ({ ...fact, value: row[`fact_${place}`] ?? '' }));
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
