/**
 * The logical digests of a snapshot: counts, sums, minimums and maximums of its tables, independent of the file format. They show
 * a difference between two copies without comparing rows.
 */
import { type Dialect, nameIn } from '../tables/dialects.ts';
import type { Column, Table } from '../tables/table.ts';

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

export const MEASURES = ['sum', 'nulls', 'least', 'greatest'] as const;

export type Measure = (typeof MEASURES)[number];

/** One measured fact: a measure of a column, or the number of rows of the table. */
export interface Fact {
  readonly column: string | null;
  readonly measure: Measure | 'rows';
}

/** All facts of a table: rows, sums of cents, numbers of nulls, and least and greatest keys, days and instants. */
export function factsOf(table: Table): readonly Fact[] {
  return [
    { column: null, measure: 'rows' },
    ...table.columns.flatMap((column) =>
      measuresOf(table, column).map((measure) => ({ column: column.name, measure })),
    ),
  ];
}

function measuresOf(table: Table, { name, kind, nullable }: Column): readonly Measure[] {
  // Every query selects one snapshot, so its id needs no measure.
  const ordered =
    name !== 'snapshot_id' && (table.key.includes(name) || kind === 'date' || kind === 'timestamp');
  return [
    ...(kind === 'cents' ? (['sum'] as const) : []),
    ...(nullable ? (['nulls'] as const) : []),
    ...(ordered ? (['least', 'greatest'] as const) : []),
  ];
}

/**
 * The SQL expression of a fact. Its result is a text that is the same in every dialect; empty if there is no value. Days are
 * `YYYY-MM-DD`, instants are numbers as an `Instant` is, texts are compared byte by byte.
 */
export function factIn(dialect: Dialect, table: Table, { column, measure }: Fact): string {
  if (column === null) return shown(dialect, 'count(*)');
  const name = nameIn(dialect, column);
  if (measure === 'nulls') return shown(dialect, `count(*) - count(${name})`);
  if (measure === 'sum') return shown(dialect, sumOf(dialect, name));
  const kind = table.columns.find((each) => each.name === column)?.kind;
  const ends = { least: 'min', greatest: 'max', rows: 'min' }[measure];
  if (dialect === 'clickhouse') {
    // Without the suffix, the least value of a table without rows would be 0.
    const found = `${ends}OrNull(${name})`;
    return shown(dialect, kind === 'timestamp' ? `toUnixTimestamp64Micro(${found})` : found);
  }
  const text = kind === 'string' || kind === 'text' || kind === 'json';
  const found = `${ends}(${name}${text && dialect === 'postgres' ? ' collate "C"' : ''})`;
  return shown(dialect, kind === 'timestamp' ? MICROSECONDS[dialect](found) : found);
}

const MICROSECONDS: Readonly<Record<Exclude<Dialect, 'clickhouse'>, (instant: string) => string>> = {
  duckdb: (instant) => `epoch_us(${instant})`,
  postgres: (instant) => `(extract(epoch from ${instant}) * 1000000)::bigint`,
  snowflake: (instant) => `date_part(epoch_microsecond, ${instant})`,
  bigquery: (instant) => `unix_micros(${instant})`,
  // Redshift's epoch has only whole seconds.
  redshift: (instant) =>
    `extract(epoch from ${instant})::bigint * 1000000 + extract(microsecond from ${instant})::bigint % 1000000`,
};

// ClickHouse overflows at 64 bits silently, and returns 0 for a sum of no values.
function sumOf(dialect: Dialect, name: string): string {
  return dialect === 'clickhouse' ? `sumOrNull(toInt128(${name}))` : `sum(${name})`;
}

const TEXT: Readonly<Record<Exclude<Dialect, 'clickhouse'>, string>> = {
  duckdb: 'varchar',
  postgres: 'text',
  snowflake: 'varchar',
  bigquery: 'string',
  redshift: 'varchar',
};

function shown(dialect: Dialect, value: string): string {
  return dialect === 'clickhouse'
    ? `coalesce(toString(${value}), '')`
    : `coalesce(cast(${value} as ${TEXT[dialect]}), '')`;
}
