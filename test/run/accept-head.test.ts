/** `snapshots --accept-head` with an id that no account has. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addSnapshotsCommand } from '../../src/commands/snapshots.ts';
import { openFolderStore } from '../../src/store/folder.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { SEED } from '../support/signing.ts';
import { runCommand } from '../commands/in-process.ts';

let database: TestDatabase;
let root: string;
beforeAll(async () => {
  database = await createDatabase();
  root = await fs.mkdtemp(join(tmpdir(), 'crossfoot-head-'));
  await openFolderStore({ fs, root: join(root, 'objects'), randomUuid: randomUUID });
});
afterAll(async () => {
  await fs.rm(root, { recursive: true });
  await database.drop();
});

it('--accept-head of an unknown account says so in words, and changes nothing', async () => {
  const env = {
    DATA_DIR: root,
    LEDGER_URL: database.url('cf_reader'),
    DATABASE_URL: database.url('cf_service'),
    SIGNING_KEYS: SEED,
  };
  const { error, printed } = await runCommand(
    addSnapshotsCommand,
    env,
    'snapshots',
    '--account',
    '99',
    '--accept-head',
  );
  expect(error).toMatchObject({ code: 'not_found', message: 'There is no account 99 in this ledger.' });
  expect(printed).toEqual([]);
});
