/** The bills that no dollar total of AI spend includes, as the ledger has them, in accounts of their own. */
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { leftOutOfAccounts } from '../../../src/commands/terminal/left-out-report.ts';
import { readLeftOut, readLeftOutOfAccounts } from '../../../src/ledger/moment/left-out.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { foundAccount, insert } from '../../support/ledger-rows.ts';

let database: TestDatabase;
let owner: Client;
beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
});
afterAll(() => database.drop());

it('an account is named for a card charge alone, without a reason or a command, because no rate helps it', async () => {
  const { account } = await foundAccount(owner);
  const row = { account_id: account };
  const vendor_id = await insert(owner, 'ledger.vendors', { ...row, name: 'Flagged', is_ai: true });
  const platform_key = 'cards';
  await owner.query("insert into ledger.platforms (key, name, category) values ('cards', 'Cards', 'cards')");
  const own = { ...row, platform_key, name: 'Cards', status: 'active' };
  const connection_id = await insert(owner, 'ledger.connections', own);
  await insert(owner, 'ledger.card_charges', {
    ...row,
    connection_id,
    vendor_id,
    charged_on: '2026-04-09',
    amount_cents: 3_000,
    currency: 'EUR',
  });
  const [left, ...others] = await readLeftOutOfAccounts(owner, [account]);
  expect(others).toEqual([]);
  expect(left?.left_out).toEqual({
    cost: [],
    value: [],
    bills: [{ table: 'card_charges', currency: 'EUR', amount_cents: 3_000, entries: 1 }],
    reasons: [],
  });
  expect(leftOutOfAccounts(left === undefined ? [] : [left])).toEqual([
    `account ${account}: 1 card charge in EUR (EUR 30.00) is not in dollars and in no dollar total of AI spend.`,
  ]);
});

it('bills whose sum is no exact number are told with the account, and refused by a build', async () => {
  const { account } = await foundAccount(owner);
  const row = { account_id: account };
  const vendor_id = await insert(owner, 'ledger.vendors', { ...row, name: 'Flagged', is_ai: true });
  // Two times 2^53 - 1.
  for (const month of ['2026-04-01', '2026-05-01']) {
    await insert(owner, 'ledger.vendor_bills', {
      ...row,
      vendor_id,
      feed: 'books',
      month,
      amount_cents: 9_007_199_254_740_991n,
      ai_amount_cents: 0,
      currency: 'KES',
    });
  }
  const [left] = await readLeftOutOfAccounts(owner, [account]);
  expect(left).toMatchObject({ account_id: account, left_out: null, too_large: { code: 'sum_too_large' } });
  await expect(readLeftOut(owner, account)).rejects.toThrow('vendor_bills left out in KES');
});

it('a bill is left out of AI spend if its vendor is flagged as AI, or the vendor that it was merged into', async () => {
  const { account: account_id } = await foundAccount(owner);
  const vendor = (name: string, row: object): Promise<bigint> =>
    insert(owner, 'ledger.vendors', { account_id, name, ...row });
  const bill = (vendor_id: bigint, amount_cents: number): Promise<bigint> =>
    insert(owner, 'ledger.vendor_bills', {
      account_id,
      vendor_id,
      feed: 'books',
      month: '2026-05-01',
      amount_cents,
      ai_amount_cents: amount_cents,
      currency: 'KES',
    });
  const flagged = await vendor('Flagged', { is_ai: true });
  await bill(flagged, 1_000);
  await bill(await vendor('Taken over', { is_ai: false, merged_into_id: flagged }), 200);
  await bill(await vendor('Others', { is_ai: false }), 30);
  // 10.00 and 2.00, but not 0.30; no rate of KES is stored.
  expect(await readLeftOut(owner, account_id)).toEqual({
    cost: [],
    value: [],
    bills: [{ table: 'vendor_bills', currency: 'KES', amount_cents: 1_200, entries: 2 }],
    reasons: [
      {
        table: 'vendor_bills',
        reason: 'no_published_rates',
        currency: 'KES',
        entries: 2,
        amount_cents: 1_200,
      },
    ],
  });
});
