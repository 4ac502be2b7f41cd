/**
 * The ten column kinds of the reporting tables ("Column types" of the contract). The kind sets the column's type in
 * the SQL query, in the Parquet file that the audit reads, and in the documentation.
 */

interface Kind {
  /** The exact PostgreSQL type the table's select must produce. */
  readonly postgres: 'text' | 'int4' | 'int8' | 'float8' | 'bool' | 'date' | 'timestamptz';
  /** The type of the column in the Parquet file, by DuckDB's name. */
  readonly duckdb:
    | 'VARCHAR'
    | 'INTEGER'
    | 'BIGINT'
    | 'DOUBLE'
    | 'BOOLEAN'
    | 'DATE'
    | 'TIMESTAMP WITH TIME ZONE';
  readonly meaning: string;
}

export const FIELD_KINDS = {
  string: { postgres: 'text', duckdb: 'VARCHAR', meaning: 'A short code or name.' },
  text: { postgres: 'text', duckdb: 'VARCHAR', meaning: 'Free text written by a person.' },
  integer: { postgres: 'int4', duckdb: 'INTEGER', meaning: 'A 32-bit whole number.' },
  number: { postgres: 'float8', duckdb: 'DOUBLE', meaning: 'A double-precision number.' },
  boolean: { postgres: 'bool', duckdb: 'BOOLEAN', meaning: 'True or false.' },
  date: { postgres: 'date', duckdb: 'DATE', meaning: 'A UTC day.' },
  timestamp: {
    postgres: 'timestamptz',
    duckdb: 'TIMESTAMP WITH TIME ZONE',
    meaning: 'An instant in UTC, to the microsecond.',
  },
  id: { postgres: 'int8', duckdb: 'BIGINT', meaning: 'A 64-bit identifier.' },
  cents: { postgres: 'int8', duckdb: 'BIGINT', meaning: 'A 64-bit amount in whole cents of its currency.' },
  json: { postgres: 'text', duckdb: 'VARCHAR', meaning: 'Canonical JSON: sorted keys, no white space.' },
} as const satisfies Record<string, Kind>;

export type FieldKind = keyof typeof FIELD_KINDS;

/** What a field of each kind holds in memory. Days are `YYYY-MM-DD`; an instant is an `Instant`. */
export interface FieldValues {
  string: string;
  text: string;
  integer: number;
  number: number;
  boolean: boolean;
  date: string;
  timestamp: bigint;
  id: bigint;
  cents: bigint;
  json: string;
}
