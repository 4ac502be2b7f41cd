import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readInitiativeEntries } from '../../../src/ledger/moment/initiative-entries.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import {
  type Founded,
  addCost,
  addInitiative,
  addValue,
  foundAccount,
  inAccount,
} from '../../support/ledger-rows.ts';

let database: TestDatabase;
let owner: Client;
let reader: Client;
let home: Founded;
let planned: bigint;
let empty: bigint;

beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
  reader = await database.client('cf_reader');
  home = await foundAccount(owner);
  // Another account's cost, which must not show.
  await addCost(owner, await foundAccount(owner));
  await owner.query(`
    insert into ledger.euro_reference_rates (day, currency, units_per_euro)
    values ('2026-06-01', 'USD', 1.2), ('2026-07-01', 'USD', 1.3)`);
  await inAccount(owner, home.account, async () => {
    await addValue(owner, home);
    await addValue(owner, home, { entry_type: 'capacity', period_start: '2026-03-20', period_end: null });
    await addValue(owner, home, { status: 'reviewed' });
    await addCost(owner, home, { period_start: '2026-04-05', cost_category: 'capex', period_end: null });
    await addCost(owner, home, { period_start: null, period_end: null });
    planned = await addInitiative(owner, home.account, {
      currency: 'EUR',
      planned_value_period: 'monthly',
      planned_cost_savings_cents: 100,
      planned_capacity_cents: 7,
      planned_opex_cents: 5,
      planned_capex_cents: 900,
      roi_horizon_years: 2,
      time_to_value_months: 3,
      started_at: '2026-01-31T23:59:59.999999Z',
      plan_source: 'service',
    });
    empty = await addInitiative(owner, home.account, { stage: 'identified' });
    const sample = await addInitiative(owner, home.account, { is_sample: true });
    await addCost(owner, { ...home, initiative: sample });
    await addValue(owner, { ...home, initiative: sample });
  });
});
afterAll(() => database.drop());

const inside = <Result>(work: () => Promise<Result>): Promise<Result> =>
  inAccount(reader, home.account, work);

async function read(as_of: string) {
  return inside(() => Array.fromAsync(readInitiativeEntries(reader, { account_id: home.account, as_of })));
}

const NOTHING = {
  cash_value_cents: 0n,
  capacity_cents: 0n,
  capacity_realized_cents: 0n,
  capex_cents: 0n,
  opex_cents: 0n,
  vendor_price_effect_cents: null,
};

describe('readInitiativeEntries', () => {
  it('gives the initiatives by id, samples left out, with their entries summed by month, undated last', async () => {
    const all = await read('2026-07-15');
    expect(all.map(({ initiative_id }) => initiative_id)).toEqual([home.initiative, planned, empty]);
    expect(all.map(({ groups }) => groups.length)).toEqual([3, 0, 0]);
    expect(all[0]?.groups).toMatchObject([
      {
        ...NOTHING,
        month: '2026-03-01',
        latest_day: '2026-03-20',
        cash_value_cents: 50_000n,
        capacity_cents: 50_000n,
      },
      { ...NOTHING, month: '2026-04-01', latest_day: '2026-04-05', capex_cents: 10_000n },
      { ...NOTHING, month: null, latest_day: null, opex_cents: 10_000n },
    ]);
  });

  it('gives each its plan over the whole horizon, days in UTC', async () => {
    const plan = (await read('2026-07-15'))[1]?.plan;
    // Two years of months: 24 times 100, 7 and 5.
    expect(plan).toEqual({
      stage: 'live',
      is_sample: false,
      confirmed: false,
      currency: 'EUR',
      usd_rate: '1.3000000000',
      value_total_cents: 2400n,
      capacity_total_cents: 168n,
      opex_total_cents: 120n,
      capex_cents: 900n,
      horizon_months: 24,
      went_live_on: null,
      started_on: '2026-01-31',
      approved_on: null,
      time_to_value_months: 3,
    });
  });

  it.each([
    ['2026-05-31', null],
    ['2026-06-01', '1.2000000000'],
    ['2026-06-30', '1.2000000000'],
    ['2026-07-01', '1.3000000000'],
  ])('takes the latest rate published by %s: %s', async (as_of, rate) => {
    expect((await read(as_of))[1]?.plan.usd_rate).toBe(rate);
  });

  it('returns no rate for a plan in dollars, and zeros for an initiative without a plan', async () => {
    expect((await read('2026-07-15'))[2]?.plan).toMatchObject({
      usd_rate: null,
      value_total_cents: 0n,
      capex_cents: 0n,
      horizon_months: 0,
      confirmed: true,
    });
  });

  it('gives every initiative once, however many rows cross its fetches', async () => {
    const busy = await foundAccount(owner);
    // 2,100 months' worth of one initiative do not exist, so 700 initiatives have three months each.
    await inAccount(owner, busy.account, () =>
      owner.query(
        `with made as (
           insert into ledger.initiatives (account_id, title, stage) select $1, 'Many', 'live' from generate_series(1, 700)
           returning id)
         insert into ledger.cost_entries (account_id, initiative_id, amount_cents, currency, source_type, period_start)
         select $1, id, 1, 'USD', 'manual', date '2026-01-01' + n * interval '1 month' from made, generate_series(0, 2) n`,
        [busy.account],
      ),
    );
    const all = await inAccount(reader, busy.account, () =>
      Array.fromAsync(readInitiativeEntries(reader, { account_id: busy.account, as_of: '2026-07-15' })),
    );
    expect(new Set(all.map(({ initiative_id }) => initiative_id)).size).toBe(701);
    expect(all).toHaveLength(701);
    expect(all.slice(1).every(({ groups }) => groups.length === 3)).toBe(true);
  });
});
