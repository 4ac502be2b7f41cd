/** `crossfoot verify` of a catalogue that was saved from a server. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addVerifyCommand } from '../../src/commands/verify.ts';
import { cacheCatalogues } from '../../src/lake/catalogues.ts';
import { createReader } from '../../src/snapshot/read/reader.ts';
import { openFolderStore } from '../../src/store/folder.ts';
import { instantOf } from '../support/instant-of.ts';
import { type Ran, runCommand } from '../commands/in-process.ts';
import { openPublishedFolder, type PublishedFolder } from '../commands/published-folder.ts';

const now = (): bigint => instantOf('2026-07-16T00:00:00.000000Z');

let published: PublishedFolder;
let saved: string;
beforeAll(async () => {
  published = await openPublishedFolder();
  await published.build();
  const { objects: root } = published;
  const store = await openFolderStore({ fs, root, randomUuid: randomUUID });
  const catalogues = cacheCatalogues({
    snapshots: createReader({ store, now, onFault: () => undefined }),
    now,
    fs,
    root: join(root, '..', 'made'),
    turn: async () => undefined,
  });
  const made = await catalogues.get({
    account_id: 1n,
    form: 'ducklake',
    base_url: 'https://example.test/v1',
  });
  saved = join(root, '..', "owner's.ducklake");
  await fs.writeFile(saved, made?.bytes ?? '');
});
afterAll(() => published.close());

function run(...args: readonly string[]): Promise<Ran> {
  return runCommand(addVerifyCommand, published.env, 'verify', ...args);
}

it('verify says what a saved catalogue was derived from, what was not checked, and that every row is right', async () => {
  const { error, printed } = await run(saved);
  expect(error).toBeUndefined();
  expect(printed).toEqual([
    `catalogue     ${saved}`,
    'account       1',
    'versions      1',
    'derived from  log entry 1, 0 marks',
    'not checked  The addresses: they lead to https://example.test; check that this is your server.',
    'not checked  The snapshots and pins that had ended when it was made: a log does not state the time of reading.',
    'verified: every row is that of the audited snapshots',
  ]);
});

it('verify refuses a catalogue that was changed, names the row with both numbers, and exits with 3', async () => {
  const path = join(published.objects, '..', 'changed.ducklake');
  await fs.copyFile(saved, path);
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run(
    "update ducklake_data_file set record_count = 999 where table_id = (select table_id from ducklake_table where table_name = 'costs')",
  );
  connection.closeSync();
  instance.closeSync();
  const { error, printed } = await run(path);
  expect(error).toMatchObject({ code: 'verify_refused', exitCode: 3 });
  expect(printed.filter((line) => line.startsWith('REFUSED'))).toEqual([
    expect.stringMatching(
      /^REFUSED {2}ducklake_data_file data_file_id \d+, table_id \d+, begin_snapshot 1: expected record_count 60; found record_count 999$/,
    ),
  ]);
  const { passed } = JSON.parse((await run(path, '--json')).printed.join('\n')) as {
    readonly passed: boolean;
  };
  expect(passed).toBe(false);
});

it.each([
  [
    'of another account',
    () => [saved, '--account', '2'],
    'verify_refused',
    /is of account 1, expected account 2\.$/,
  ],
  ['that is not there', () => ['gone.ducklake'], 'usage_invalid', /^gone\.ducklake is no file\.$/],
])('verify refuses a catalogue %s', async (_, args, code, message) => {
  expect((await run(...args())).error).toMatchObject({ code, message: expect.stringMatching(message) });
});
