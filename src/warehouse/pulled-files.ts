/** The files of a pulled snapshot for DuckDB: the columns of each, and a select of the declared ones. */
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
  /** Columns that are declared and in the file. An older snapshot lacks new columns; a newer one may have unknown ones. */
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

/** A text as a DuckDB literal. */
export function textOf(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
