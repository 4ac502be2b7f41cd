/** The files of a pulled snapshot as DuckDB reads them: which columns each has, and a select of those we declare. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { TABLES } from '../tables/all.ts';
import type { Table } from '../tables/table.ts';

/** A snapshot to be loaded: all of its tables in one folder. */
export interface PulledSnapshot {
  readonly snapshot_id: string;
  /** Holds `<table>.parquet` of each of these. */
  readonly folder: string;
  readonly tables: readonly string[];
}

export interface PulledFile {
  readonly table: Table;
  /** Declared and in the file: an older snapshot lacks later columns, and a newer one may have more than we know. */
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

/** A text as DuckDB writes it. */
export function textOf(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
