/** The files of a pulled snapshot, for DuckDB: the columns of each file, and a select of the declared columns. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { TABLES } from '../tables/all.ts';
import type { Table } from '../tables/table.ts';

/** A snapshot to load, with all tables in one folder. */
export interface PulledSnapshot {
  readonly snapshot_id: string;
  /** Holds `<table>.parquet` for each of these tables. */
  readonly folder: string;
  readonly tables: readonly string[];
}

export interface PulledFile {
  readonly table: Table;
  /** The columns that are declared and are in the file. An older snapshot lacks new columns; a newer one may have others. */
  readonly columns: readonly string[];
  /** Reads those columns. */
  readonly select: string;
}

/** The files of the tables that this program declares, in published order. */
export async function pulledFiles(
  connection: DuckDBConnection,
  { folder, tables }: PulledSnapshot,
): Promise<readonly PulledFile[]> {
  const files: PulledFile[] = [];
  for (const table of TABLES.filter(({ name }) => tables.includes(name))) {
    const source = `read_parquet(${textOf(`${folder}/${table.name}.parquet`)})`;
    const described = await connection.runAndReadAll(`describe select * from ${source}`);
    const there = new Set(described.getRowObjectsJson().map((row) => JSON.stringify(row['column_name'])));
    const columns = table.columns.map(({ name }) => name).filter((name) => there.has(JSON.stringify(name)));
    files.push({ table, columns, select: `select ${columns.join(', ')} from ${source}` });
  }
  return files;
}

/** The account whose figures the files hold. */
export async function pulledAccount(
  connection: DuckDBConnection,
  { folder }: Pick<PulledSnapshot, 'folder'>,
): Promise<bigint> {
  const source = `read_parquet(${textOf(`${folder}/snapshot.parquet`)})`;
  const read = await connection.runAndReadAll(`select account_id::varchar as account_id from ${source}`);
  return BigInt(asText(read.getRowObjectsJson()[0]?.['account_id']));
}

/** A value of a column that a select returns as text and never null. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new TypeError('DuckDB returned another value where a text was selected');
}

/** A text as a DuckDB literal. */
export function textOf(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
