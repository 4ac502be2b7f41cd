/** What a load does once for many rows: it holds the gates of its accounts, and finds the vendors of new costs. */
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { insert } from '../../support/ledger-rows.ts';
import { blockersOf, processOf } from '../../support/waiting.ts';
import { costs, foundCompany, loadFiles, lockedMonth } from './folder.ts';

let database: TestDatabase;
let owner: Client;
let other: Client;
beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
  other = await database.client('cf_owner');
});
afterAll(() => database.drop());

/** The process of the load that waits for this one. */
async function loadBehind(process: number): Promise<number> {
  let found: number | undefined;
  await expect
    .poll(async () => {
      const { rows } = await owner.query<{ pid: number }>(
        `select pid from pg_stat_activity where application_name = 'crossfoot load' and $1 = any (pg_blocking_pids(pid))`,
        [process],
      );
      found = rows[0]?.pid;
      return found;
    })
    .toBeDefined();
  return found ?? 0;
}

describe('a load beside a close', () => {
  it.each([
    ['for update', 'a close', {}],
    [
      'for share',
      'a writer, before it closes a month itself,',
      { 'accounting_months.csv': lockedMonth(31, 'locked') },
    ],
  ])('that holds the gate %s: waits for %s before it holds an entry', async (mode, _, more) => {
    const files = { 'cost_entries.csv': costs(31, [1, 500]) };
    await foundCompany(owner, 31);
    await loadFiles(database.url('cf_owner'), files, { mode: 'upsert' });
    await other.query('begin');
    await other.query(`select from ledger.account_gates where account_id = 31 ${mode}`);
    const changed = { 'cost_entries.csv': costs(31, [1, 700]), ...more };
    const loading = loadFiles(database.url('cf_owner'), changed, { mode: 'upsert' });
    const holder = await processOf(other);
    expect(await blockersOf(owner, await loadBehind(holder))).toEqual([holder]);
    // A close that now stamps the entry goes on at once.
    await other.query('select from ledger.cost_entries where account_id = 31 and id = 1 for update nowait');
    await other.query('commit');
    expect(await loading).toMatchObject({ cost_entries: { updated: 1 } });
    await owner.query('delete from ledger.accounts where id = 31');
  });
});

describe('a load of new costs', () => {
  const HEADER = 'account_id,id,initiative_id,amount_cents,currency,source_type,vendor_name,period_start';
  const file = (...names: readonly string[]): string =>
    [HEADER, ...names.map((name, index) => `32,${index + 1},1,100,USD,manual,${name},2024-01-10`), ''].join(
      '\n',
    );

  it('finds their vendors itself: it adds each new one once, in the order of the lines, and takes survivors', async () => {
    const url = database.url('cf_owner');
    for (const id of [32, 33]) await foundCompany(owner, id);
    await loadFiles(url, { 'vendors.csv': 'account_id,id,name\n33,1,Zeta\n' });
    const survivor = await insert(owner, 'ledger.vendors', { account_id: 32, name: 'Survivor' });
    const merged = await insert(owner, 'ledger.vendors', {
      account_id: 32,
      name: 'Merged',
      merged_into_id: survivor,
    });
    // Without the triggers that do the same row by row.
    await owner.query(
      `alter table ledger.cost_entries disable trigger resolve_vendor, disable trigger confirm_vendors`,
    );
    await owner.query('alter table ledger.cost_entries disable trigger settle_1_dollars');
    await loadFiles(url, {
      'cost_entries.csv': file('Zeta', ' ALPHA ', 'zeta ', 'merged', '', '" "', 'alpha'),
    });
    await owner.query(
      `alter table ledger.cost_entries enable trigger resolve_vendor, enable trigger confirm_vendors`,
    );
    await owner.query('alter table ledger.cost_entries enable trigger settle_1_dollars');
    const { rows: vendors } = await owner.query<{ id: bigint; name: string }>(
      `select id, name from ledger.vendors where account_id = 32 and id > $1 order by id`,
      [merged],
    );
    expect(vendors.map(({ name }) => name)).toEqual(['Zeta', 'ALPHA']);
    const [zeta, alpha] = vendors.map(({ id }) => id);
    const { rows } = await owner.query<{ vendor_id: bigint | null }>(
      'select vendor_id, usd_amount_cents from ledger.cost_entries where account_id = 32 order by id',
    );
    expect(rows).toEqual(
      [zeta, alpha, zeta, survivor, null, null, alpha].map((vendor_id) => ({
        vendor_id,
        usd_amount_cents: 100n,
      })),
    );
  });
});
