/** Loads a pulled snapshot into a DuckDB file: replaces all tables in one transaction. */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { createTableSql, qualifiedName } from '../tables/create-table.ts';
import { snapshot } from '../tables/snapshot.ts';
import { type PulledSnapshot, pulledFiles } from './pulled-files.ts';

export interface DuckdbTarget {
  readonly file: string;
  readonly schema: string;
}

/** Loads the snapshot; false if the file has it already. Readers see the earlier snapshot until the commit. */
export async function loadIntoDuckdb(
  pulled: PulledSnapshot,
  { file, schema }: DuckdbTarget,
): Promise<boolean> {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  try {
    await connection.run(`create schema if not exists "${schema.replaceAll('"', '""')}"`);
    await connection.run('begin transaction');
    if ((await heldIn(connection, schema)) === pulled.snapshot_id) return false;
    for (const { table, columns, select } of await pulledFiles(connection, pulled)) {
      const name = qualifiedName(table, 'duckdb', schema);
      // Create the table again: it may lack a new column, and DuckDB cannot delete and insert a key in one transaction.
      await connection.run(`drop table if exists ${name}`);
      await connection.run(createTableSql(table, 'duckdb', schema));
      await connection.run(`insert into ${name} (${columns.join(', ')}) ${select}`);
    }
    await connection.run('commit');
    return true;
  } finally {
    connection.closeSync(); // rolls back without a commit
    instance.closeSync();
  }
}

/** The id of the snapshot that the file holds; null if there is none. */
async function heldIn(connection: DuckDBConnection, schema: string): Promise<string | null> {
  const found = await connection.runAndReadAll(
    'select count(*) as found from duckdb_tables() where schema_name = $1 and table_name = $2',
    [schema, snapshot.name],
  );
  if (Number(found.getRowObjectsJson()[0]?.['found']) === 0) return null;
  const name = qualifiedName(snapshot, 'duckdb', schema);
  const held = await connection.runAndReadAll(`select max(snapshot_id) as held from ${name}`);
  const id = held.getRowObjectsJson()[0]?.['held'];
  return typeof id === 'string' ? id : null;
}
