import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadDemoLedgerOnce } from '../../../src/run/demo/demo-ledger.ts';
import { loadSharedRows } from '../../../src/run/demo/shared-rows.ts';
import { load } from '../../../src/ledger/load/load.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { itInSweeps } from '../../support/sweeps.ts';

const SECOND = fileURLToPath(new URL('../../../fixtures/second', import.meta.url));

let database: TestDatabase;
let dataDir: string;
beforeEach(async () => {
  database = await createDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'crossfoot-demo-'));
});
afterEach(async () => {
  await rm(dataDir, { recursive: true });
  await database.drop();
});

async function accounts(): Promise<readonly bigint[]> {
  const owner = await database.client('cf_owner');
  const { rows } = await owner.query<{ id: bigint }>('select id from ledger.accounts order by id');
  return rows.map(({ id }) => id);
}

/** One account, loaded by hand. */
async function loadSecond(): Promise<void> {
  await loadSharedRows(database.url('cf_owner'));
  await load({ url: database.url('cf_owner'), paths: [SECOND], mode: 'insert' });
}

/** Loads where it is due, and tells whether it was. */
async function loadOnce(): Promise<boolean> {
  let loaded = false;
  await loadDemoLedgerOnce({
    dataDir,
    ownerUrl: database.url('cf_owner'),
    holdsAccounts: async () => (await accounts()).length > 0,
    onLoading: () => (loaded = true),
  });
  return loaded;
}

itInSweeps('the next start finishes a load that a killed first start began', async () => {
  // The mark of a load that never ended, and one of its three accounts.
  await writeFile(join(dataDir, 'demo.loading'), '');
  await loadSecond();
  expect(await loadOnce()).toBe(true);
  expect(await accounts()).toEqual([1n, 2n, 3n]);
  await expect(access(join(dataDir, 'demo.loading'))).rejects.toMatchObject({ code: 'ENOENT' });
  expect(await loadOnce()).toBe(false);
});

it('a ledger with other accounts is left unchanged, but for the articles about this program', async () => {
  await loadSecond();
  const owner = await database.client('cf_owner');
  await owner.query(`update ledger.help_articles set body = 'of an earlier program' where slug = 'roi'`);
  expect(await loadOnce()).toBe(false);
  expect(await accounts()).toEqual([2n]);
  const { rows } = await owner.query(`select body from ledger.help_articles where slug = 'roi'`);
  expect(rows).toEqual([{ body: expect.stringContaining('cash value') as string }]);
});
