/** The SQL of each warehouse for names, texts and the ten kinds of columns. */
import type { FieldKind } from '../fields.ts';

/** The warehouses that statements are generated for; only the first two are run by the tests. */
export const DIALECTS = ['duckdb', 'postgres', 'snowflake', 'bigquery', 'redshift', 'clickhouse'] as const;

export type Dialect = (typeof DIALECTS)[number];

/** The dialects whose statements the tests execute; the others are written from their manuals. */
export const EXECUTED: readonly Dialect[] = ['duckdb', 'postgres', 'clickhouse'];

type Types = Readonly<Record<FieldKind, string>>;

// Money and ids are 64-bit integers in every warehouse. A double would lose cents.
const TYPES: Readonly<Record<Dialect, Types>> = {
  duckdb: typesOf('varchar', 'integer', 'bigint', 'double', 'boolean', 'date', 'timestamptz'),
  postgres: typesOf('text', 'integer', 'bigint', 'double precision', 'boolean', 'date', 'timestamptz'),
  snowflake: typesOf('varchar', 'integer', 'bigint', 'double', 'boolean', 'date', 'timestamp_ltz(6)'),
  bigquery: typesOf('string', 'int64', 'int64', 'float64', 'bool', 'date', 'timestamp'),
  // Redshift's varchar without a length holds 256 bytes; free text and formula inputs are longer.
  redshift: typesOf(
    'varchar(65535)',
    'integer',
    'bigint',
    'double precision',
    'boolean',
    'date',
    'timestamptz',
  ),
  // ClickHouse's type Date begins in 1970 and ends in 2149.
  clickhouse: typesOf('String', 'Int32', 'Int64', 'Float64', 'Bool', 'Date32', "DateTime64(6, 'UTC')"),
};

/** The type of a column of this kind in the warehouse. */
export function typeIn(dialect: Dialect, kind: FieldKind): string {
  return TYPES[dialect][kind];
}

/**
 * A published name in SQL of that warehouse. It is quoted in dialects that no test runs, where it may be reserved, as
 * `snapshot` is in Redshift. It is never quoted in Snowflake, where a quoted name is case-sensitive.
 */
export function nameIn(dialect: Dialect, name: string): string {
  if (dialect === 'redshift') return `"${name}"`;
  return dialect === 'bigquery' || dialect === 'clickhouse' ? `\`${name}\`` : name;
}

/** A name that the user chose; always quoted, except in Snowflake. */
export function foreignNameIn(dialect: Dialect, name: string): string {
  if (dialect === 'snowflake') return name;
  const mark = dialect === 'bigquery' || dialect === 'clickhouse' ? '`' : '"';
  return `${mark}${name.replaceAll(mark, mark + mark)}${mark}`;
}

/** A text as an SQL literal of that warehouse. */
export function textIn(dialect: Dialect, text: string): string {
  // A backslash is an escape character in these three. BigQuery allows neither a doubled quote nor a line break in a text.
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
    json: text, // the text is canonical JSON: a JSON type would write it in another form
    integer,
    id: bigint,
    cents: bigint,
    number,
    boolean,
    date,
    timestamp,
  };
}
