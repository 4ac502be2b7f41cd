/** The cash value of an initiative in the currency of its plan, worked by hand. */
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readPlanValue } from '../../../src/ledger/moment/plan-value.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import {
  addInitiative,
  addValue,
  type Founded,
  foundAccount,
  inAccount,
  type Row,
} from '../../support/ledger-rows.ts';
import { addSpringRates } from './spring-rates.ts';

let database: TestDatabase;
let owner: Client;
let reader: Client;
beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
  reader = await database.client('cf_reader');
  await addSpringRates(owner);
});
afterAll(() => database.drop());

/** What came back for a plan in this currency, by `as_of`. */
async function cashOf(currency: string, values: readonly Row[], of: Row = {}, as_of = '2026-04-10') {
  const { account, person } = await foundAccount(owner);
  return await inAccount(owner, account, async () => {
    const initiative = await addInitiative(owner, account, { currency, ...of });
    const home: Founded = { account, person, initiative };
    for (const row of values) await addValue(owner, home, row);
    return home;
  }).then(({ initiative }) =>
    inAccount(reader, account, async () => {
      const rows = await Array.fromAsync(readPlanValue(reader, { account_id: account, as_of }));
      return rows.map(({ initiative_id, month, cash_cents }) => {
        expect(initiative_id).toBe(initiative);
        return [month, cash_cents];
      });
    }),
  );
}

const RATED = { usd_rate: '1.5', usd_rate_from: '2026-03-02', usd_rate_through: '2026-03-31' };
const UNDATED = { period_start: null, period_end: null };

it('an amount in the currency of the plan counts as recorded, with a dollar figure or without', async () => {
  expect(
    await cashOf('EUR', [
      { currency: 'EUR', amount_cents: 10_000, ...RATED },
      { currency: 'EUR', amount_cents: 1, period_start: '2026-05-01', period_end: '2026-05-31' },
      { currency: 'EUR', amount_cents: 700, ...UNDATED },
    ]),
  ).toEqual([
    [null, 700n],
    ['2026-03-01', 10_000n],
    ['2026-05-01', 1n],
  ]);
});

it('the plan value divides dollars by the rate of the same period, rounded to the cent for each entry', async () => {
  // 0.01 ÷ 1.2 = 0.0083 euros, 1 cent each; 500.00 ÷ 1.2 = 416.67. One pound is 1.5 dollars: 500.00 ÷ 1.5 = 333.33.
  expect(await cashOf('EUR', [{ amount_cents: 1 }, { amount_cents: 1 }, {}])).toEqual([
    ['2026-03-01', 41_669n],
  ]);
  expect(await cashOf('GBP', [{}])).toEqual([['2026-03-01', 33_333n]]);
  // Another currency by its dollar figure: 100.00 at 1.5 dollars are 150.00, which are 125.00 euros.
  expect(await cashOf('EUR', [{ currency: 'CHF', amount_cents: 10_000, ...RATED }])).toEqual([
    ['2026-03-01', 12_500n],
  ]);
});

it('the plan value leaves out amounts without a rate: an incomplete period, no rate, no dollar figure', async () => {
  const april = { period_start: '2026-04-01', period_end: '2026-04-10' };
  expect(await cashOf('EUR', [april])).toEqual([['2026-04-01', 45_455n]]);
  expect(await cashOf('EUR', [{ ...april, period_end: '2026-04-11' }])).toEqual([]);
  expect(await cashOf('EUR', [april], {}, '2026-04-09')).toEqual([]);
  expect(await cashOf('EUR', [UNDATED, { currency: 'CHF', amount_cents: 10_000 }])).toEqual([]);
  expect(await cashOf('JPY', [{}])).toEqual([]);
});

it('the plan value counts approved cash alone, of no sample, and nothing of a plan in dollars', async () => {
  const euros = { currency: 'EUR', amount_cents: 100 };
  expect(
    await cashOf('EUR', [
      { ...euros, entry_type: 'capacity' },
      { ...euros, status: 'draft' },
      { ...euros, entry_type: 'capacity_realized' },
    ]),
  ).toEqual([['2026-03-01', 100n]]);
  expect(await cashOf('EUR', [euros], { is_sample: true })).toEqual([]);
  expect(await cashOf('USD', [euros, {}])).toEqual([]);
});
