/** What is counted and added up of a table, so that two copies of it can be told apart without comparing rows. */
import { type Dialect, nameIn } from '../tables/dialects.ts';
import type { Column, Table } from '../tables/table.ts';

export const MEASURES = ['sum', 'nulls', 'least', 'greatest'] as const;

export type Measure = (typeof MEASURES)[number];

/** One of the things measured; of the table itself only its rows are. */
export interface Fact {
  readonly column: string | null;
  readonly measure: Measure | 'rows';
}

/** All facts of a table: rows, sums of cents, empty values, and the ends of keys, days and instants. */
export function factsOf(table: Table): readonly Fact[] {
  return [
    { column: null, measure: 'rows' },
    ...table.columns.flatMap((column) =>
      measuresOf(table, column).map((measure) => ({ column: column.name, measure })),
    ),
  ];
}

function measuresOf(table: Table, { name, kind, nullable }: Column): readonly Measure[] {
  // Every query asks for one snapshot, so its id says nothing more.
  const ordered =
    name !== 'snapshot_id' && (table.key.includes(name) || kind === 'date' || kind === 'timestamp');
  return [
    ...(kind === 'cents' ? (['sum'] as const) : []),
    ...(nullable ? (['nulls'] as const) : []),
    ...(ordered ? (['least', 'greatest'] as const) : []),
  ];
}

/**
 * The expression that gives a fact as text, the same text in every dialect, and an empty one where there is no value:
 * days as `YYYY-MM-DD`, instants as microseconds since 1970 UTC, texts compared byte by byte.
 */
export function factIn(dialect: Dialect, table: Table, { column, measure }: Fact): string {
  if (column === null) return shown(dialect, 'count(*)');
  const name = nameIn(dialect, column);
  if (measure === 'nulls') return shown(dialect, `count(*) - count(${name})`);
  if (measure === 'sum') return shown(dialect, sumOf(dialect, name));
  const kind = table.columns.find((each) => each.name === column)?.kind;
  const ends = { least: 'min', greatest: 'max', rows: 'min' }[measure];
  if (dialect === 'clickhouse') {
    // Without the suffix a table without rows would have a least value: 0.
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
  // Its epoch has whole seconds alone.
  redshift: (instant) =>
    `extract(epoch from ${instant})::bigint * 1000000 + extract(microsecond from ${instant})::bigint % 1000000`,
};

// ClickHouse wraps around at 64 bits without a word, and takes nothing for 0.
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
