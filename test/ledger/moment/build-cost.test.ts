import { afterAll, beforeAll, expect, it } from 'vitest';
import { readBuildCost } from '../../../src/ledger/moment/build-cost.ts';
import { sourceTables } from '../../../src/ledger/moment/source-tables.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase('template_company');
});
afterAll(() => database.drop());

it('the build cost of an idle ledger has no locks and no writer older than the question', async () => {
  const reader = await database.client('cf_reader');
  const cost = await readBuildCost(reader, await sourceTables());
  expect(cost.locked_tables).toEqual([]);
  expect(cost.oldest_writer_seconds).toBeLessThan(60);
});

it('the build cost names the tables that another session rewrites, and only those that a build reads', async () => {
  const [reader, owner] = [await database.client('cf_reader'), await database.client('cf_owner')];
  await owner.query('begin');
  await owner.query('lock table ledger.vendors, ledger.cost_entries in access exclusive mode');
  const cost = await readBuildCost(reader, await sourceTables());
  expect(cost.locked_tables).toEqual(['ledger.cost_entries', 'ledger.vendors']);
  expect((await readBuildCost(reader, ['ledger.users'])).locked_tables).toEqual([]);
  await owner.query('rollback');
  expect((await readBuildCost(reader, await sourceTables())).locked_tables).toEqual([]);
});

it('the build cost counts what vacuum must keep for a transaction that stays open', async () => {
  const [reader, owner, other] = [
    await database.client('cf_reader'),
    await database.client('cf_owner'),
    await database.client('cf_owner'),
  ];
  await owner.query('begin');
  await owner.query('select pg_current_xact_id()');
  for (let more = 0; more < 5; more += 1) await other.query('select pg_current_xact_id()');
  // The open one and the five that came after it.
  expect((await readBuildCost(reader, await sourceTables())).transactions_kept).toBeGreaterThanOrEqual(6);
  await owner.query('rollback');
});
