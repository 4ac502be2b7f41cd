import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InitiativeBudget } from '../../../src/figures/budget.ts';
import { readInitiativeBudgets } from '../../../src/ledger/moment/budget-entries.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import {
  type Founded,
  type Row,
  addCost,
  addInitiative,
  foundAccount,
  inAccount,
  insert,
} from '../../support/ledger-rows.ts';
import { addSpringRates } from './spring-rates.ts';

const TODAY = '2026-07-15';

/** A period that begins on a day and has no end. */
const openFrom = (period_start: string) => ({ period_start, period_end: null });

async function budgetsOf(
  reader: Client,
  account: bigint,
  as_of = TODAY,
  wanted: 'all' | readonly bigint[] = 'all',
): Promise<readonly InitiativeBudget[]> {
  return inAccount(reader, account, () =>
    Array.fromAsync(readInitiativeBudgets(reader, { account_id: account, as_of, wanted })),
  );
}

describe('the spending of a budget', () => {
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

  const RATED = { usd_rate: '2', usd_rate_from: '2026-03-02', usd_rate_through: '2026-03-31' };

  async function budgeted(currency: string, version: Row = {}): Promise<Founded> {
    const home = await foundAccount(owner);
    await addVersion(home, { currency, ...version });
    return home;
  }

  const addVersion = ({ account, initiative }: Founded, version: Row): Promise<bigint> =>
    insert(owner, 'ledger.budget_versions', {
      account_id: account,
      initiative_id: initiative,
      status: 'approved',
      source: 'approval',
      capex_cents: 0,
      opex_cents: 100,
      opex_cadence: 'monthly',
      effective_from: '2026-01-01',
      decided_at: '2025-12-01Z',
      ...version,
    });

  async function spendOf(home: Founded, as_of = TODAY) {
    const read = await budgetsOf(reader, home.account, as_of);
    return read.find(({ initiative_id }) => initiative_id === home.initiative)?.spend;
  }

  it('is summed by month and half, with 0 for a half without entries', async () => {
    const home = await budgeted('USD');
    await addCost(owner, home, { amount_cents: 100, cost_category: 'capex' });
    await addCost(owner, home, { amount_cents: 20 });
    await addCost(owner, home, { amount_cents: 3, period_start: '2026-03-31', period_end: '2026-05-31' });
    await addCost(owner, home, { amount_cents: -7, period_start: '2026-01-01', period_end: null });
    expect(await spendOf(home)).toEqual([
      { month: '2026-01-01', capex_cents: 0n, opex_cents: -7n },
      { month: '2026-03-01', capex_cents: 100n, opex_cents: 23n },
    ]);
  });

  it('is dated by the first day of its period, else by the UTC day of its booking', async () => {
    const home = await budgeted('USD');
    const undated = { period_start: null, period_end: null };
    await addCost(owner, home, { amount_cents: 1, created_at: '2026-06-01T01:00:00+02:00', ...undated });
    await addCost(owner, home, { amount_cents: 2, created_at: '2026-05-31T23:59:59.999999Z', ...undated });
    await addCost(owner, home, { amount_cents: 4, created_at: '2026-06-01T00:00:00Z', ...undated });
    await addCost(owner, home, { amount_cents: 8, created_at: '2026-06-01T00:00:00Z' });
    expect(await spendOf(home)).toEqual([
      { month: '2026-03-01', capex_cents: 0n, opex_cents: 8n },
      { month: '2026-05-01', capex_cents: 0n, opex_cents: 3n },
      { month: '2026-06-01', capex_cents: 0n, opex_cents: 4n },
    ]);
  });

  it('leaves out entries that are dated after the day, within its month too', async () => {
    const home = await budgeted('USD');
    await addCost(owner, home, { amount_cents: 1, ...openFrom('2026-07-15') });
    await addCost(owner, home, { amount_cents: 2, ...openFrom('2026-07-16') });
    await addCost(owner, home, { amount_cents: 4, ...openFrom('2026-08-01') });
    expect(await spendOf(home)).toEqual([{ month: '2026-07-01', capex_cents: 0n, opex_cents: 1n }]);
    expect(await spendOf(home, '2026-07-14')).toEqual([]);
  });

  it('counts dollar figures in a dollar budget, and nothing for an entry without one', async () => {
    const home = await budgeted('USD');
    await addCost(owner, home, { amount_cents: 100, currency: 'EUR', ...RATED });
    await addCost(owner, home, { amount_cents: 1000, currency: 'EUR' });
    expect(await spendOf(home)).toEqual([{ month: '2026-03-01', capex_cents: 0n, opex_cents: 200n }]);
  });

  it("counts entries in the budget's own currency as recorded, with or without a rate", async () => {
    const home = await budgeted('KES');
    await addCost(owner, home, { amount_cents: 100, currency: 'KES' });
    await addCost(owner, home, { amount_cents: 10, currency: 'KES', ...RATED });
    // A dollar entry cannot be converted: shillings have no rate.
    await addCost(owner, home, { amount_cents: 1000, currency: 'USD' });
    expect(await spendOf(home)).toEqual([{ month: '2026-03-01', capex_cents: 0n, opex_cents: 110n }]);
  });

  it("divides other entries' dollars by the rate of the budget's currency in the same period", async () => {
    const home = await budgeted('GBP');
    // March: 1.2 / 0.8 = 1.5 dollars a pound. 300 / 1.5 = 200.
    await addCost(owner, home, { amount_cents: 300 });
    // 75 euros at a rate of 2 are 150 dollars, 100 pounds: the entry keeps its own rate, the budget has its own.
    await addCost(owner, home, { amount_cents: 75, currency: 'EUR', ...RATED });
    await addCost(owner, home, { amount_cents: 4000, currency: 'EUR' });
    expect(await spendOf(home)).toEqual([{ month: '2026-03-01', capex_cents: 0n, opex_cents: 300n }]);
  });

  it('rounds each entry by itself, half away from zero', async () => {
    const home = await budgeted('EUR');
    // 1.2 dollars a euro: 3 / 1.2 = 2.5, so 3 and -3; rounded together they would be 5. 2 / 1.2 = 1.67
    await addCost(owner, home, { amount_cents: 3 });
    await addCost(owner, home, { amount_cents: 3 });
    await addCost(owner, home, { amount_cents: 2 });
    await addCost(owner, home, { amount_cents: -3, cost_category: 'capex' });
    expect(await spendOf(home)).toEqual([{ month: '2026-03-01', capex_cents: -3n, opex_cents: 8n }]);
  });

  // 4800000001 / 1.2000000001 is 4000000000.49999999995…, which ten decimals would round to a half, and that half up.
  it('is rounded down for a quotient that is nearly a half', async () => {
    await owner.query(
      "insert into ledger.euro_reference_rates (day, currency, units_per_euro) values ('2026-05-29', 'USD', 1.2000000001), ('2026-06-01', 'USD', 1)",
    );
    const home = await budgeted('EUR');
    await addCost(owner, home, {
      amount_cents: 4800000001n,
      period_start: '2026-05-01',
      period_end: '2026-05-31',
    });
    expect((await spendOf(home))?.[0]?.opex_cents).toBe(4000000000n);
  });

  it("takes the rate published through the day: the latest while a period is incomplete, the booking day's without a period", async () => {
    const home = await budgeted('EUR');
    // On 15 April nothing on or after 30 April is published: the latest is 1.1. 110 / 1.1 = 100.
    await addCost(owner, home, { amount_cents: 110, period_start: '2026-04-01', period_end: '2026-04-30' });
    // Booked on 5 April: the last published before is 31 March, 1.2. 120 / 1.2 = 100.
    await addCost(owner, home, {
      amount_cents: 120,
      cost_category: 'capex',
      period_start: null,
      period_end: null,
      created_at: '2026-04-05Z',
    });
    // Before anything is published there is no rate.
    await addCost(owner, home, { amount_cents: 500, period_start: '2026-01-01', period_end: '2026-01-31' });
    expect(await spendOf(home, '2026-04-15')).toEqual([
      { month: '2026-01-01', capex_cents: 0n, opex_cents: 0n },
      { month: '2026-04-01', capex_cents: 100n, opex_cents: 100n },
    ]);
    // On 9 April the 1.1 of the 10th is not yet published: 110 / 1.2 = 91.67
    expect((await spendOf(home, '2026-04-09'))?.at(-1)?.opex_cents).toBe(92n);
  });

  it('belongs to one initiative and account, and is 0 without an approved version', async () => {
    const home = await budgeted('USD');
    const other = { ...home, initiative: await addInitiative(owner, home.account) };
    await addVersion(other, { currency: 'EUR', status: 'pending' });
    const bare = { ...home, initiative: await addInitiative(owner, home.account, { currency: 'CHF' }) };
    const sample = {
      ...home,
      initiative: await addInitiative(owner, home.account, { is_sample: true }),
    };
    await addVersion(sample, { currency: 'USD' });
    const last = { ...home, initiative: await addInitiative(owner, home.account) };
    await addVersion(last, { currency: 'USD' });
    for (const one of [home, other, bare, sample, last]) await addCost(owner, one, { amount_cents: 5 });
    const read = await budgetsOf(reader, home.account);
    const five = [{ month: '2026-03-01', capex_cents: 0n, opex_cents: 5n }];
    expect(
      read.map(({ initiative_id, currency, versions, spend }) => [
        initiative_id,
        currency,
        versions.length,
        spend,
      ]),
    ).toEqual([
      [home.initiative, 'USD', 1, five],
      [other.initiative, 'USD', 1, []],
      [bare.initiative, 'CHF', 0, []],
      [last.initiative, 'USD', 1, five],
    ]);
  });

  it('is read for the wanted initiatives alone, samples included if wanted', async () => {
    const home = await budgeted('USD');
    const other = { ...home, initiative: await addInitiative(owner, home.account) };
    await addVersion(other, { currency: 'EUR' });
    const sample = { ...home, initiative: await addInitiative(owner, home.account, { is_sample: true }) };
    await addVersion(sample, { currency: 'USD' });
    for (const one of [home, other, sample]) await addCost(owner, one, { amount_cents: 5 });
    const read = await budgetsOf(reader, home.account, TODAY, [sample.initiative, home.initiative]);
    expect(read.map(({ initiative_id, versions, spend }) => [initiative_id, versions.length, spend])).toEqual(
      [home, sample].map(({ initiative }) => [
        initiative,
        1,
        [{ month: '2026-03-01', capex_cents: 0n, opex_cents: 5n }],
      ]),
    );
  });

  it('is read in bounded pieces, for any number of months and initiatives', async () => {
    const home = await budgeted('USD');
    await owner.query(
      `insert into ledger.initiatives (account_id, title, stage) select $1, 'Many', 'live' from generate_series(1, 60)`,
      [home.account],
    );
    await owner.query(
      `insert into ledger.budget_versions (account_id, initiative_id, status, source, capex_cents, opex_cents, opex_cadence, currency, effective_from, decided_at)
       select account_id, id, 'approved', 'manual', 0, 1, 'monthly', 'USD', date '2020-01-01' + days, now()
       from ledger.initiatives cross join generate_series(1, 40) days where account_id = $1 and title = 'Many'`,
      [home.account],
    );
    await owner.query(
      `insert into ledger.cost_entries (account_id, initiative_id, amount_cents, currency, period_start, source_type)
       select account_id, id, id, 'USD', (date '2020-01-01' + months * interval '1 month')::date, 'system'
       from ledger.initiatives cross join generate_series(0, 49) months where account_id = $1 and title = 'Many'`,
      [home.account],
    );
    const [first, ...many] = await budgetsOf(reader, home.account);
    expect([first?.versions.length, first?.spend.length]).toEqual([1, 0]);
    expect(many).toHaveLength(60);
    for (const { initiative_id, versions, spend } of many) {
      expect(versions).toHaveLength(40);
      expect(spend.map(({ opex_cents }) => opex_cents)).toEqual(
        Array.from({ length: 50 }, () => initiative_id),
      );
    }
  });
});
