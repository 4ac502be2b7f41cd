/** Loads a pulled snapshot into a DuckDB file in one transaction: replaces all tables, or adds to their history. */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { createTableSql, qualifiedName } from '../tables/create-table.ts';
import { typeIn } from '../tables/dialects.ts';
import { snapshot } from '../tables/snapshot.ts';
import type { Table } from '../tables/table.ts';
import { type HeldSnapshot, mustLoad } from './held-snapshots.ts';
import { type PulledSnapshot, asText, pulledAccount, pulledFiles, textOf } from './pulled-files.ts';

/** The name of the file's database in this connection; no schema may have this name. */
const DATABASE = 'crossfoot_pull_target';

export interface DuckdbTarget {
  readonly file: string;
  readonly schema: string;
  /** True to keep the snapshots that are loaded already. */
  readonly history: boolean;
}

/** Loads the snapshot; false if the file has it already. Readers see the earlier snapshot until the commit. */
export async function loadIntoDuckdb(
  pulled: PulledSnapshot,
  { file, schema, history }: DuckdbTarget,
): Promise<boolean> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    // DuckDB names a database after its file. In crossfoot.duckdb the name of schema crossfoot would be ambiguous.
    await connection.run(`attach ${textOf(file)} as ${DATABASE}; use ${DATABASE}`);
    await connection.run(`create schema if not exists "${schema.replaceAll('"', '""')}"`);
    await connection.run('begin transaction');
    const account_id = await pulledAccount(connection, pulled);
    const held = await heldIn(connection, schema);
    if (!mustLoad({ held, pulled: { ...pulled, account_id }, history, schema })) return false;
    for (const { table, columns, select } of await pulledFiles(connection, pulled)) {
      const name = qualifiedName(table, 'duckdb', schema);
      // Create the table again: it may lack a new column, and DuckDB cannot delete and insert a key in one transaction.
      if (!history) await connection.run(`drop table if exists ${name}`);
      else await addMissingColumns(connection, table, schema);
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

/** The snapshots that the file holds. */
async function heldIn(connection: DuckDBConnection, schema: string): Promise<readonly HeldSnapshot[]> {
  if ((await columnsIn(connection, snapshot, schema)).size === 0) return [];
  const name = qualifiedName(snapshot, 'duckdb', schema);
  const read = await connection.runAndReadAll(
    `select account_id::varchar as account_id, snapshot_id from ${name}`,
  );
  return read.getRowObjectsJson().map(({ account_id, snapshot_id }) => ({
    account_id: BigInt(asText(account_id)),
    snapshot_id: asText(snapshot_id),
  }));
}

/** The columns of a table; none if there is no such table. */
async function columnsIn(
  connection: DuckDBConnection,
  table: Table,
  schema: string,
): Promise<ReadonlySet<string>> {
  const read = await connection.runAndReadAll(
    'select column_name from duckdb_columns() where schema_name = $1 and table_name = $2',
    [schema, table.name],
  );
  return new Set(read.getRowObjectsJson().map((row) => asText(row['column_name'])));
}

/** Adds the columns that an earlier program did not declare when it made the table. */
async function addMissingColumns(connection: DuckDBConnection, table: Table, schema: string): Promise<void> {
  const there = await columnsIn(connection, table, schema);
  if (there.size === 0) return;
  const name = qualifiedName(table, 'duckdb', schema);
  for (const column of table.columns.filter((each) => !there.has(each.name))) {
    await connection.run(`alter table ${name} add column ${column.name} ${typeIn('duckdb', column.kind)}`);
  }
}
