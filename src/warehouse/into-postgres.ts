/** Loads a pulled snapshot into PostgreSQL: replaces the rows of all tables in one transaction. */
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
import { type PulledFile, type PulledSnapshot, pulledFiles, textOf } from './pulled-files.ts';

// The null marker, unquoted. All texts are quoted, so a text of these characters stays a text.
const EMPTY = String.raw`\N`;

export interface PostgresTarget {
  readonly url: string;
  readonly schema: string;
  /** The folder for the CSV files between the two engines; its owner deletes it. */
  readonly temporary: string;
}

/**
 * Loads the snapshot; false if the schema has it already. Tables keep their grants and views. Readers see the earlier rows
 * until the commit, because rows are deleted, not truncated.
 */
export async function loadIntoPostgres(pulled: PulledSnapshot, target: PostgresTarget): Promise<boolean> {
  const { url, schema, temporary } = target;
  const client = new Client({ connectionString: url, application_name: 'crossfoot pull' });
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    await connection.run(`set timezone = 'UTC'`);
    await client.connect();
    await client.query('begin');
    // Only one load runs at a time; a second one then finds the snapshot that the first has loaded.
    await client.query('select pg_advisory_xact_lock(hashtext($1))', [`crossfoot pull ${schema}`]);
    if ((await heldIn(client, schema)) === pulled.snapshot_id) return false;
    await client.query(`create schema if not exists "${schema.replaceAll('"', '""')}"`);
    for (const file of await pulledFiles(connection, pulled)) {
      await makeTable(client, file.table, schema);
      const path = join(temporary, `${file.table.name}.csv`);
      const style = `(format csv, header false, nullstr ${textOf(EMPTY)}, force_quote *)`;
      await connection.run(`copy (${file.select}) to ${textOf(path)} ${style}`);
      await replaceRows(client, file, schema, path);
    }
    await client.query('commit');
    return true;
  } finally {
    await client.end(); // rolls back without a commit
    connection.closeSync();
    instance.closeSync();
  }
}

/** The id of the snapshot that the schema holds; null if there is none. */
async function heldIn(client: Client, schema: string): Promise<string | null> {
  const name = qualifiedName(snapshot, 'postgres', schema);
  const there = await client.query('select where to_regclass($1) is not null', [name]);
  if (there.rowCount === 0) return null;
  const text = `select max(snapshot_id) as held from ${name}`;
  const [row] = await readStatement(client, { name, text, columns: { held: 'text?' } });
  return row?.held ?? null;
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

async function replaceRows(
  client: Client,
  { table, columns }: PulledFile,
  schema: string,
  path: string,
): Promise<void> {
  const name = qualifiedName(table, 'postgres', schema);
  await client.query(`delete from ${name}`);
  const copy = `copy ${name} (${columns.join(', ')}) from stdin (format csv, null ${textOf(EMPTY)})`;
  await pipeline(createReadStream(path), client.query(copyFrom(copy)));
}
