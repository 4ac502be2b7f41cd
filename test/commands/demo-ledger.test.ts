import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadDemoLedgerOnce } from '../../src/commands/demo-ledger.ts';
import { load } from '../../src/ledger/load.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';

const SECOND = fileURLToPath(new URL('../../fixtures/second', import.meta.url));
const REFERENCE = fileURLToPath(new URL('../../fixtures/reference', import.meta.url));

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

it('finishes what a killed first start began', async () => {
  // The mark of a load that never ended, and two of its four folders.
  await writeFile(join(dataDir, 'demo.loading'), '');
  for (const folder of [REFERENCE, SECOND]) {
    await load({ url: database.url('cf_owner'), folder, mode: 'insert' });
  }
  expect(await loadOnce()).toBe(true);
  expect(await accounts()).toEqual([1n, 2n, 3n]);
  await expect(access(join(dataDir, 'demo.loading'))).rejects.toMatchObject({ code: 'ENOENT' });
  expect(await loadOnce()).toBe(false);
});

it('leaves a ledger alone that somebody else has filled', async () => {
  for (const folder of [REFERENCE, SECOND]) {
    await load({ url: database.url('cf_owner'), folder, mode: 'insert' });
  }
  expect(await loadOnce()).toBe(false);
  expect(await accounts()).toEqual([2n]);
});
