/** What each entry adds to which figure, and what a plan comes to: one row each, worked by hand. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Row, addCost, addInitiative, addValue, lockMonth } from '../support/ledger-rows.ts';
import { type ViewLedger, openLedger } from './ledger-harness.ts';

let ledger: ViewLedger;
beforeAll(async () => {
  ledger = await openLedger({ contribution_margin: '0.5' });
});
afterAll(() => ledger.database.drop());

const NOTHING = {
  cash_value_cents: 0n,
  capacity_cents: 0n,
  capacity_realized_cents: 0n,
  capex_cents: 0n,
  opex_cents: 0n,
  vendor_price_effect_cents: null,
};

/** 1.5 dollars to the euro. */
const EURO = {
  currency: 'EUR',
  usd_rate: '1.5',
  usd_rate_from: '2026-03-02',
  usd_rate_through: '2026-03-31',
};

/** The amounts of the one entry that an initiative of its own gets. */
async function amountsOf(add: typeof addCost, row: Row): Promise<readonly Record<string, unknown>[]> {
  const { owner, home, write, read } = ledger;
  const initiative = await write(async () => {
    const own = { ...home, initiative: await addInitiative(owner, home.account) };
    await add(owner, own, row);
    return own.initiative;
  });
  return read(
    `select day, month, cash_value_cents, capacity_cents, capacity_realized_cents, capex_cents, opex_cents,
       vendor_price_effect_cents
     from reporting.entry_amounts where initiative_id = $1`,
    [initiative],
  );
}

describe('entry_amounts', () => {
  const MARCH = { day: '2026-03-01', month: '2026-03-01' };

  it.each<[string, object]>([
    ['revenue_gain', { cash_value_cents: 50_000n }],
    ['cost_savings', { cash_value_cents: 50_000n }],
    ['cost_avoidance', { cash_value_cents: 50_000n }],
    // Realised capacity is cash, and is taken off the capacity of its month.
    ['capacity_realized', { cash_value_cents: 50_000n, capacity_realized_cents: 50_000n }],
    ['capacity', { capacity_cents: 50_000n }],
  ])('puts approved %s where it belongs', async (entry_type, amounts) => {
    expect(await amountsOf(addValue, { entry_type })).toEqual([{ ...MARCH, ...NOTHING, ...amounts }]);
  });

  it.each<[string, object]>([
    ['capex', { capex_cents: 10_000n }],
    ['opex', { opex_cents: 10_000n }],
  ])('puts a cost under %s', async (cost_category, amounts) => {
    expect(await amountsOf(addCost, { cost_category })).toEqual([{ ...MARCH, ...NOTHING, ...amounts }]);
  });

  it.each(['draft', 'calculated', 'reviewed', 'disputed', 'archived'])(
    'leaves out value that is %s',
    async (status) => {
      expect(await amountsOf(addValue, { status })).toEqual([]);
    },
  );

  it('keeps an entry without dollars, adding nothing, because it still opens its window', async () => {
    const split = { vendor_price_effect_cents: 20_000, own_changes_effect_cents: 30_000 };
    expect(await amountsOf(addValue, { currency: 'EUR', ...split })).toEqual([{ ...MARCH, ...NOTHING }]);
    expect(await amountsOf(addValue, { currency: 'EUR', entry_type: 'capacity' })).toEqual([
      { ...MARCH, ...NOTHING },
    ]);
    expect(await amountsOf(addCost, { currency: 'EUR' })).toEqual([{ ...MARCH, ...NOTHING }]);
  });

  it('counts another currency at its dollar figure', async () => {
    // 500.00 euros at 1.5 are 750.00 dollars; 100.00 are 150.00.
    expect(await amountsOf(addValue, EURO)).toMatchObject([{ cash_value_cents: 75_000n }]);
    expect(await amountsOf(addCost, EURO)).toMatchObject([{ opex_cents: 15_000n }]);
  });

  it('gives an undated entry neither day nor month', async () => {
    const undated = { period_start: null, period_end: null };
    expect(await amountsOf(addValue, undated)).toMatchObject([{ day: null, month: null }]);
    expect(await amountsOf(addCost, undated)).toMatchObject([{ day: null, month: null }]);
  });

  it('names the month of a day inside it', async () => {
    const inside = { period_start: '2026-02-28', period_end: '2026-03-31' };
    expect(await amountsOf(addCost, inside)).toMatchObject([{ day: '2026-02-28', month: '2026-02-01' }]);
  });

  // Half a cent goes away from zero: 1 × 1.5 = 1.5 → 2, and −1 × 1.5 = −1.5 → −2.
  it.each([
    ['in dollars as it is', {}, 7, 7n],
    ['in euros at the rate of the entry', EURO, 10, 15n],
    ['rounding half a cent up', EURO, 1, 2n],
    ['rounding half a cent of a price rise down', EURO, -1, -2n],
  ])('states the price effect %s', async (_, currency, effect, vendor_price_effect_cents) => {
    const split = { vendor_price_effect_cents: effect, own_changes_effect_cents: 50_000 - effect };
    expect(await amountsOf(addValue, { ...currency, ...split })).toMatchObject([
      { vendor_price_effect_cents },
    ]);
  });
});

describe('initiatives', () => {
  // The margin is one half. Savings of 100 a month for two years are 2,400.
  it.each<[string, Row, object]>([
    [
      'a month',
      {
        planned_value_period: 'monthly',
        planned_cost_savings_cents: 100,
        planned_capacity_cents: 7,
        planned_opex_cents: 5,
      },
      { planned_value_cents: 2400n, planned_capacity_total_cents: 168n, planned_opex_total_cents: 120n },
    ],
    [
      'a quarter',
      {
        planned_value_period: 'quarterly',
        planned_cost_savings_cents: 100,
        planned_capacity_cents: 7,
        planned_opex_cents: 5,
      },
      { planned_value_cents: 800n, planned_capacity_total_cents: 56n, planned_opex_total_cents: 40n },
    ],
    [
      'a year',
      {
        planned_value_period: 'annually',
        planned_cost_savings_cents: 100,
        planned_capacity_cents: 7,
        planned_opex_cents: 5,
      },
      { planned_value_cents: 200n, planned_capacity_total_cents: 14n, planned_opex_total_cents: 10n },
    ],
    [
      'no stated period, which is a year',
      { planned_value_period: null, planned_cost_savings_cents: 100 },
      { planned_value_cents: 200n, planned_capacity_total_cents: 0n, planned_opex_total_cents: 0n },
    ],
    // 3 × 0.5 = 1.5 → 2 before it is annualised: (100 + 2) × 12 × 2 = 2,448.
    [
      'a month with revenue at its margin, rounded once per period',
      { planned_value_period: 'monthly', planned_cost_savings_cents: 100, planned_revenue_uplift_cents: 3 },
      { planned_value_cents: 2448n },
    ],
    ['nothing at all', {}, { planned_value_cents: 0n, planned_capacity_total_cents: 0n }],
    [
      'a month without a horizon',
      { planned_cost_savings_cents: 100, roi_horizon_years: null },
      { planned_value_cents: 0n },
    ],
  ])('work out the whole horizon of %s', async (_, plan, totals) => {
    const { owner, home, write, read } = ledger;
    const id = await write(() => addInitiative(owner, home.account, { roi_horizon_years: 2, ...plan }));
    expect(await read('select * from reporting.initiatives where id = $1', [id])).toMatchObject([totals]);
  });

  it.each([
    ['a person made it', { plan_source: 'person' }, true],
    ['the service filled it in', { plan_source: 'service' }, false],
    [
      'someone confirmed what the service filled in',
      { plan_source: 'service', plan_confirmed_at: '2026-01-02Z' },
      true,
    ],
  ])('call a plan confirmed or not when %s', async (_, plan, plan_confirmed) => {
    const { owner, home, write, read } = ledger;
    const id = await write(() => addInitiative(owner, home.account, plan));
    expect(await read('select * from reporting.initiatives where id = $1', [id])).toMatchObject([
      { plan_confirmed },
    ]);
  });
});

describe('cost_entries', () => {
  it('are locked with the month of their first day, undated ones with that of their booking day', async () => {
    const { owner, home, write, read } = ledger;
    // The last microsecond of April in UTC is already May in Berlin.
    const booked = { period_start: null, period_end: null };
    const ids = await write(async () => [
      await addCost(owner, home, { period_start: '2026-04-30', period_end: '2026-05-31' }),
      await addCost(owner, home, { ...booked, created_at: '2026-05-01T01:59:59.999999+02:00' }),
      await addCost(owner, home, { ...booked, created_at: '2026-05-01T00:00:00Z' }),
      await addCost(owner, home, { period_start: '2026-05-01', period_end: null, created_at: '2026-04-15Z' }),
    ]);
    await write(() => lockMonth(owner, home.account, '2026-04-01'));
    const rows = await read('select locked from reporting.cost_entries where id = any ($1) order by id', [
      ids,
    ]);
    expect(rows.map((row) => row['locked'])).toEqual([true, true, false, false]);
  });
});

describe('daily_rates', () => {
  beforeAll(() =>
    ledger.owner.query(`
      insert into ledger.euro_reference_rates (day, currency, units_per_euro) values
        ('2026-01-02', 'USD', 1.0005), ('2026-01-02', 'GBP', 0.8), ('2026-01-02', 'IDR', 10000000),
        ('2026-01-02', 'JPY', 3), ('2026-01-03', 'GBP', 0.9), ('2026-01-04', 'USD', 1.1)`),
  );

  it('are dollars per unit on the days on which dollar and currency both have a rate, rounded half away from zero', async () => {
    const rows = await ledger.read(
      'select day, currency, usd_rate from reporting.daily_rates order by day, currency',
    );
    expect(rows).toEqual([
      // The dollar's own row is the euro's.
      { day: '2026-01-02', currency: 'EUR', usd_rate: '1.0005000000' },
      { day: '2026-01-02', currency: 'GBP', usd_rate: '1.2506250000' }, // 1.0005 ÷ 0.8
      { day: '2026-01-02', currency: 'IDR', usd_rate: '0.0000001001' }, // 0.00000010005, a half
      { day: '2026-01-02', currency: 'JPY', usd_rate: '0.3335000000' }, // 1.0005 ÷ 3 = 0.3335
      // On 3 January the dollar has no rate, so nothing has.
      { day: '2026-01-04', currency: 'EUR', usd_rate: '1.1000000000' },
    ]);
  });
});
