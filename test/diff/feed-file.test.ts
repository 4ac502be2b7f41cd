import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CompareTools } from '../../src/diff/compare.ts';
import { feedScripts, writeFeed } from '../../src/diff/feed-file.ts';
import { readSqlFiles } from '../../src/ledger/migrate/files.ts';
import { SCHEMA_FOLDER } from '../../src/ledger/schema-folder.ts';
import { sqlScripts } from '../../src/sql-scripts.ts';
import { askDuckDb } from '../parquet/read-back.ts';
import { company } from '../snapshot/audit/audited-company.ts';
import { compared, compareTools } from './compared.ts';
import { HeldSnapshots } from './held-snapshots.ts';

const EARLIER = '20260815T020000Z';
const LATER = '20260816T020000Z';

let held: HeldSnapshots;
let root: string;
let compareWith: CompareTools;
let feedWith: CompareTools;
beforeAll(async () => {
  held = new HeldSnapshots();
  root = await mkdtemp(join(tmpdir(), 'crossfoot-feed-'));
  compareWith = await compareTools(root, held.reader);
  const feed = sqlScripts(await readSqlFiles(join(SCHEMA_FOLDER, 'feed')));
  feedWith = { ...compareWith, sql: feedScripts(compareWith.sql, feed) };
});
afterAll(async () => {
  await rm(root, { recursive: true });
});

/** A frozen input of value entry 1. */
const input = (variable: string, label: string) => ({
  ...company()['value_inputs']?.[0],
  value_entry_id: 1n,
  variable,
  label,
});

it('the feed has the rows of the diff whole: added, removed, and changed before and after, by key', async () => {
  const rows = company();
  const before = [input('a', 'same'), input('b', 'old'), input('c', 'gone')];
  const after = [input('a', 'same'), input('b', 'new'), input('d', 'come')];
  const earlier = await held.hold(EARLIER, { ...rows, value_inputs: before });
  const later = await held.hold(LATER, { ...rows, value_inputs: after });
  const pair = { account_id: 7n, earlier, later };

  const file = await writeFeed({ ...pair, table: 'value_inputs' }, feedWith);
  const bytes = Buffer.from(await file.read(0, file.size_bytes - 1));
  const fed = await askDuckDb(
    bytes,
    "select concat_ws(' ', snapshot_id, variable, label, _change_type) as said from file",
  );
  expect(fed.map(({ said: row }) => row)).toEqual([
    `${EARLIER} b old update_preimage`,
    `${LATER} b new update_postimage`,
    `${EARLIER} c gone delete`,
    `${LATER} d come insert`,
  ]);
  expect(file.rows).toBe(4);

  const changes = await compared(pair, compareWith);
  const said = changes.filter(({ table }) => table === 'value_inputs');
  expect(said.map(({ change, key }) => `${change} ${key['variable']}`)).toEqual([
    'changed b',
    'removed c',
    'added d',
  ]);

  // Every column of the table in its order and type, then the kind of the change.
  const columns = await askDuckDb(bytes, 'describe file');
  const wholeFeed = await writeFeed({ ...pair, table: 'value_inputs' }, feedWith);
  expect(wholeFeed.sha256).toBe(file.sha256);
  expect(columns.at(0)).toMatchObject({ column_name: 'snapshot_id', column_type: 'VARCHAR' });
  expect(columns.at(-1)).toMatchObject({ column_name: '_change_type', column_type: 'VARCHAR' });
  await Promise.all([file.close(), wholeFeed.close()]);
  expect(await readdir(root)).toEqual([]);
});

it('the feed has no row where nothing changed', async () => {
  const rows = company();
  const earlier = await held.hold(EARLIER, rows);
  const later = await held.hold(LATER, rows);
  const file = await writeFeed({ account_id: 7n, earlier, later, table: 'costs' }, feedWith);
  expect(file.rows).toBe(0);
  await file.close();
});
