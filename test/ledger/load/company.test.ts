import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { load } from '../../../src/ledger/load/load.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase('template_company');
});
afterAll(() => database.drop());

it.each([
  ['docs', 'upsert'],
  ['fixtures/reference', 'upsert'],
  ['fixtures/company', 'upsert'],
  ['fixtures/company', 'replace-account'],
  ['fixtures/second', 'replace-account'],
] as const)('a second load of the folder %s finds nothing to write, by %s', async (name, mode) => {
  const folder = fileURLToPath(new URL(`../../../${name}`, import.meta.url));
  const loaded = await load({
    url: database.url('cf_owner'),
    paths: [folder],
    ignore: ['screenshots'],
    mode,
  });
  const written = loaded.filter(({ inserted, updated, deleted }) => inserted + updated + deleted > 0);
  expect(written).toEqual([]);
  expect(loaded.reduce((rows, table) => rows + table.unchanged, 0)).toBeGreaterThan(0);
});
