/** How each warehouse writes names, texts and the ten kinds of columns. */
import type { FieldKind } from '../fields.ts';

/** The warehouses that statements are generated for; only the first two are run by the tests. */
export const DIALECTS = ['duckdb', 'postgres', 'snowflake', 'bigquery', 'redshift', 'clickhouse'] as const;

export type Dialect = (typeof DIALECTS)[number];

/** The dialects whose statements the tests execute; the others are written from their manuals. */
export const EXECUTED: readonly Dialect[] = ['duckdb', 'postgres'];

type Types = Readonly<Record<FieldKind, string>>;

// Money and ids are 64-bit whole numbers everywhere: a warehouse's decimal would do, a double would lose cents.
const TYPES: Readonly<Record<Dialect, Types>> = {
  duckdb: typesOf('varchar', 'integer', 'bigint', 'double', 'boolean', 'date', 'timestamptz'),
  postgres: typesOf('text', 'integer', 'bigint', 'double precision', 'boolean', 'date', 'timestamptz'),
  snowflake: typesOf('varchar', 'integer', 'bigint', 'double', 'boolean', 'date', 'timestamp_ltz(6)'),
  bigquery: typesOf('string', 'int64', 'int64', 'float64', 'bool', 'date', 'timestamp'),
  // Its plain varchar holds 256 bytes; free text and formula inputs are longer.
  redshift: typesOf(
    'varchar(65535)',
    'integer',
    'bigint',
    'double precision',
    'boolean',
    'date',
    'timestamptz',
  ),
  // Its plain Date begins in 1970 and ends in 2149.
  clickhouse: typesOf('String', 'Int32', 'Int64', 'Float64', 'Bool', 'Date32', "DateTime64(6, 'UTC')"),
};

/** The type that a column of this kind has there. */
export function typeIn(dialect: Dialect, kind: FieldKind): string {
  return TYPES[dialect][kind];
}

/**
 * A published name as that warehouse takes it. Quoted where no test would notice that it is reserved there, as
 * `snapshot` is in Redshift; never in Snowflake, where a quoted name is another one for whoever does not quote it.
 */
export function nameIn(dialect: Dialect, name: string): string {
  if (dialect === 'redshift') return `"${name}"`;
  return dialect === 'bigquery' || dialect === 'clickhouse' ? `\`${name}\`` : name;
}

/** A name chosen by whoever runs the statement, always quoted but in Snowflake. */
export function foreignNameIn(dialect: Dialect, name: string): string {
  if (dialect === 'snowflake') return name;
  const mark = dialect === 'bigquery' || dialect === 'clickhouse' ? '`' : '"';
  return `${mark}${name.replaceAll(mark, mark + mark)}${mark}`;
}

/** A text as that warehouse writes it. */
export function textIn(dialect: Dialect, text: string): string {
  // A backslash escapes in these three; BigQuery knows neither the doubled quote nor a text of several lines.
  const escapes = dialect === 'bigquery' || dialect === 'clickhouse' || dialect === 'snowflake';
  const plain = escapes ? text.replaceAll('\\', '\\\\') : text;
  if (dialect !== 'bigquery') return `'${plain.replaceAll("'", "''")}'`;
  return `'${plain.replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;
}

function typesOf(
  text: string,
  integer: string,
  bigint: string,
  number: string,
  boolean: string,
  date: string,
  timestamp: string,
): Types {
  return {
    string: text,
    text,
    json: text, // canonical as it stands: a JSON type would write it anew
    integer,
    id: bigint,
    cents: bigint,
    number,
    boolean,
    date,
    timestamp,
  };
}
