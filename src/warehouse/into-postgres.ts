/** A pulled snapshot put into a PostgreSQL: all of its tables in one transaction, in place of what was there. */
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

// Written bare, where every text stands in quotes: a text of these characters is still that text.
const EMPTY = String.raw`\N`;

export interface PostgresTarget {
  readonly url: string;
  readonly schema: string;
  /** Where rows stand between the two engines; its owner removes it. */
  readonly temporary: string;
}

/**
 * Loads it; false when the schema holds that snapshot already. The tables stay the same ones, with their grants and the
 * views on them; whoever reads meanwhile sees the rows of before, because rows are deleted and not truncated.
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
    // Two loads take turns; the second then finds what the first has loaded.
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
    await client.end(); // what was not committed is rolled back
    connection.closeSync();
    instance.closeSync();
  }
}

/** The id of the snapshot that its table `snapshot` holds; null when there is none. */
async function heldIn(client: Client, schema: string): Promise<string | null> {
  const name = qualifiedName(snapshot, 'postgres', schema);
  const there = await client.query('select where to_regclass($1) is not null', [name]);
  if (there.rowCount === 0) return null;
  const text = `select max(snapshot_id) as held from ${name}`;
  const [row] = await readStatement(client, { name, text, columns: { held: 'text?' } });
  return row?.held ?? null;
}

/** Makes the table, or gives it the columns that were declared since it was made; both get today's comments. */
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
