/** Loads a pulled snapshot into PostgreSQL in one transaction: replaces the rows of all tables, or adds to their history. */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { readStatement } from '../database/columns.ts';
import { createTableSql, qualifiedName } from '../tables/create-table.ts';
import { typeIn } from '../tables/dialects.ts';
import { snapshot } from '../tables/snapshot.ts';
import type { Table } from '../tables/table.ts';
import { type HeldSnapshot, mustLoad } from './held-snapshots.ts';
import { type PulledFile, type PulledSnapshot, pulledAccount, pulledFiles, textOf } from './pulled-files.ts';

// The null marker of the CSV. It is written without quotes. DuckDB quotes a text `\N`, so that it stays a text.
const EMPTY = String.raw`\N`;

export interface PostgresTarget {
  readonly url: string;
  readonly schema: string;
  /** True to keep the snapshots that are loaded already. */
  readonly history: boolean;
  /** The folder for the CSV files that DuckDB writes and PostgreSQL reads; the caller deletes it. */
  readonly temporary: string;
}

/**
 * Loads the snapshot; false if the schema has it already. Tables keep their grants and views. Readers see the earlier rows
 * until the commit, because rows are deleted, not truncated.
 */
export async function loadIntoPostgres(pulled: PulledSnapshot, target: PostgresTarget): Promise<boolean> {
  const { url, schema, history, temporary } = target;
  const client = new Client({ connectionString: url, application_name: 'crossfoot pull' });
  // Without a listener Node would end the program; the statement that is running fails, too.
  client.on('error', () => undefined);
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    await connection.run(`set timezone = 'UTC'`);
    await client.connect();
    await client.query('begin');
    // The lock lets only one load run at a time. A second load then finds the snapshot that the first has loaded.
    await client.query('select pg_advisory_xact_lock(hashtext($1))', [`crossfoot pull ${schema}`]);
    const account_id = await pulledAccount(connection, pulled);
    const held = await heldIn(client, schema);
    if (!mustLoad({ held, pulled: { ...pulled, account_id }, history, schema })) return false;
    await client.query(`create schema if not exists "${schema.replaceAll('"', '""')}"`);
    for (const file of await pulledFiles(connection, pulled)) {
      await makeTable(client, file.table, schema);
      const path = join(temporary, `${file.table.name}.csv`);
      const style = `(format csv, header false, nullstr ${textOf(EMPTY)})`;
      await connection.run(`copy (${file.select}) to ${textOf(path)} ${style}`);
      if (!history) await client.query(`delete from ${qualifiedName(file.table, 'postgres', schema)}`);
      await copyRows(client, file, schema, path);
    }
    await client.query('commit');
    return true;
  } finally {
    await client.end(); // rolls back without a commit
    connection.closeSync();
    instance.closeSync();
  }
}

/** The snapshots that the schema holds. */
async function heldIn(client: Client, schema: string): Promise<readonly HeldSnapshot[]> {
  const name = qualifiedName(snapshot, 'postgres', schema);
  const there = await client.query('select where to_regclass($1) is not null', [name]);
  if (there.rowCount === 0) return [];
  const rows = await readStatement(client, {
    name,
    text: `select account_id::text as account_id, snapshot_id from ${name}`,
    columns: { account_id: 'text', snapshot_id: 'text' },
  });
  return rows.map((row) => ({ ...row, account_id: BigInt(row.account_id) }));
}

/** Creates the table, or adds columns that were declared since; sets the comments in both cases. */
async function makeTable(client: Client, table: Table, schema: string): Promise<void> {
  const rows = await readStatement(client, {
    name: table.name,
    text: `select column_name::text as column_name from information_schema.columns
      where table_schema = $1 and table_name = $2`,
    values: [schema, table.name],
    columns: { column_name: 'text' },
  });
  const there = new Set(rows.map(({ column_name }) => column_name));
  const name = qualifiedName(table, 'postgres', schema);
  const added = there.size === 0 ? [] : table.columns.filter((column) => !there.has(column.name));
  for (const column of added) {
    await client.query(`alter table ${name} add column ${column.name} ${typeIn('postgres', column.kind)}`);
  }
  await client.query(createTableSql(table, 'postgres', schema));
}

async function copyRows(
  client: Client,
  { table, columns }: PulledFile,
  schema: string,
  path: string,
): Promise<void> {
  const name = qualifiedName(table, 'postgres', schema);
  const copy = `copy ${name} (${columns.join(', ')}) from stdin (format csv, null ${textOf(EMPTY)})`;
  await pipeline(createReadStream(path), client.query(copyFrom(copy)));
}
