/** A ledger from before the first release is refused: in its data folder by `start`, in a database by `migrate`. */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEmbedded } from '../../src/embedded/embedded.ts';
import { migrate } from '../../src/ledger/migrate/migrate.ts';
import { SCHEMA_FOLDER } from '../../src/ledger/schema-folder.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { Folder } from './instances.ts';
import { itInSweeps } from '../support/sweeps.ts';

let folder: Folder;
let older: string;
let database: TestDatabase;
beforeAll(async () => {
  [folder, older, database] = await Promise.all([
    Folder.make(),
    mkdtemp(join(tmpdir(), 'crossfoot-older-')),
    createDatabase('template0'),
  ]);
  // Its files had three digits.
  await mkdir(join(older, 'ledger'));
  await cp(join(SCHEMA_FOLDER, 'ledger/0001-roles.sql'), join(older, 'ledger/0001-roles.sql'));
  await writeFile(join(older, 'ledger/010-foundation.sql'), 'create schema ledger;');
});
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
  await database.drop();
  await rm(older, { recursive: true });
});

itInSweeps(
  'start refuses a data folder of an older ledger, leaves it unchanged, and says what to do',
  async () => {
    const server = await startEmbedded({ dataDir: folder.path, durable: false });
    await migrate({ adminUrl: server.adminUrl, folder: older });
    await server.stop();
    for (const command of ['start', 'status']) {
      expect(await folder.run([command]).ended).toMatchObject({
        code: 2,
        stdout: [],
        stderr: [
          `crossfoot: The data folder ${folder.path} holds a ledger from before the first release, which cannot be migrated; nothing was changed.`,
          `  Move ${folder.path} away, or set DATA_DIR to a new folder, then start and load the ledger again.`,
        ],
      });
    }
  },
);

it('migrate refuses a database of an older ledger, and says how to get a new one', async () => {
  await migrate({ adminUrl: database.adminUrl, folder: older });
  expect(await folder.run(['migrate'], { OWNER_URL: database.adminUrl }).ended).toMatchObject({
    code: 2,
    stdout: [],
    stderr: [
      `crossfoot: The database ${database.name} holds a ledger from before the first release, which cannot be migrated; nothing was changed.`,
      '  Create a new database, set OWNER_URL, LEDGER_URL and DATABASE_URL to it, then migrate and load the ledger again.',
    ],
  });
});
