/** `crossfoot start` on a real bucket and on a folder: the same figures are served. */
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { TABLES } from '../../src/tables/all.ts';
import { Folder } from '../commands/instances.ts';
import { get, readManifest, wrongTables } from '../commands/published.ts';
import { freshEnvironment } from './settings.ts';

/** Starts on the store, holds what is served to its manifest, and gives each table's rows without the snapshot's id. */
async function served(env: Readonly<Record<string, string>>): Promise<Readonly<Record<string, unknown>>> {
  await using folder = await Folder.make();
  const program = folder.run(['start'], env);
  // Each has its own time limit: beside other work, all of it may take longer than one.
  for (const line of [/^account 1$/, /^account 2$/, /^ready /]) await program.said(line);
  const { BASE_URL = '', TOKEN = '' } = await folder.demo();
  const manifest = await readManifest(`${BASE_URL}/reporting/latest`, TOKEN);
  expect(await wrongTables(manifest, TOKEN)).toEqual([]);
  const rows: Record<string, unknown> = {};
  for (const { name, url } of manifest.tables) {
    const path = join(folder.path, `${name}.parquet`);
    await writeFile(path, Buffer.from(await (await get(url, TOKEN)).arrayBuffer()));
    rows[name] = await rowsOf(path, name);
  }
  program.signal('SIGTERM');
  expect((await program.ended).signal).toBeNull();
  return rows;
}

async function rowsOf(path: string, name: string): Promise<unknown> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    // The moment, and when the demo was loaded, are others for each start; every figure of one day is the same.
    const columns =
      name === 'snapshot'
        ? 'account_id, fiscal_year_start_month'
        : "columns(name -> name not in ('snapshot_id', 'updated_at'))";
    const read = await connection.runAndReadAll(`select ${columns} from '${path}' order by all`);
    return read.getRowObjectsJson();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

test('the figures of every table are the same', async () => {
  const folder = await served({});
  expect(Object.keys(folder)).toEqual(TABLES.map(({ name }) => name));
  expect(await served(freshEnvironment())).toEqual(folder);
});
