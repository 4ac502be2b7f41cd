/** Which entries have dollars that published rates have not settled, and as what they count. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Row, addCost, addInitiative, addValue } from '../support/ledger-rows.ts';
import { type ViewLedger, openLedger } from './ledger-harness.ts';

let ledger: ViewLedger;
beforeAll(async () => {
  ledger = await openLedger();
});
afterAll(() => ledger.database.drop());

const RATED = {
  currency: 'EUR',
  usd_rate: '1.5',
  usd_rate_from: '2026-03-02',
  usd_rate_through: '2026-03-31',
};
const MARCH = { day: '2026-03-01', is_sample: false };

/** What the one entry of an initiative of its own is in the view. */
async function amountsOf(add: typeof addCost, row: Row, initiative: Row = {}): Promise<readonly object[]> {
  const { owner, home, write, read } = ledger;
  const id = await write(async () => {
    const own = { ...home, initiative: await addInitiative(owner, home.account, initiative) };
    await add(owner, own, row);
    return own.initiative;
  });
  return read(
    'select kind, currency, amount_cents, day, is_sample from reporting.unsettled_amounts where initiative_id = $1',
    [id],
  );
}

describe('value without dollars', () => {
  it.each([
    ['revenue_gain', 'cash_left_out'],
    ['cost_savings', 'cash_left_out'],
    ['cost_avoidance', 'cash_left_out'],
    // It became cash, and is in the cash value of the dollars.
    ['capacity_realized', 'cash_left_out'],
    ['capacity', 'capacity_left_out'],
  ])('of type %s is %s, in its own currency', async (entry_type, kind) => {
    expect(await amountsOf(addValue, { entry_type, currency: 'EUR' })).toEqual([
      { kind, currency: 'EUR', amount_cents: 50_000n, ...MARCH },
    ]);
  });

  it.each<[string, Row]>([
    ['is settled in dollars', {}],
    ['is settled at a rate', RATED],
    ['does not count before it is approved', { currency: 'EUR', status: 'reviewed' }],
  ])('%s', async (_, row) => {
    expect(await amountsOf(addValue, row)).toEqual([]);
  });
});

describe('cost', () => {
  it('without dollars is left out in its own currency, of either half', async () => {
    for (const cost_category of ['capex', 'opex']) {
      expect(await amountsOf(addCost, { cost_category, currency: 'KES', amount_cents: -70 })).toEqual([
        { kind: 'cost_left_out', currency: 'KES', amount_cents: -70n, ...MARCH },
      ]);
    }
  });

  it('at a provisional rate is counted, in dollars', async () => {
    // 100.00 euros at 1.5.
    expect(await amountsOf(addCost, { ...RATED, usd_rate_provisional: true })).toEqual([
      { kind: 'provisional_cost', currency: 'USD', amount_cents: 15_000n, ...MARCH },
    ]);
  });

  it.each<[string, Row]>([
    ['in dollars is settled', {}],
    ['at the average of its period is settled', RATED],
  ])('%s', async (_, row) => {
    expect(await amountsOf(addCost, row)).toEqual([]);
  });

  it('keeps its day or null, and the flag of a sample', async () => {
    const undated = { currency: 'KES', period_start: null, period_end: null };
    expect(await amountsOf(addCost, undated, { is_sample: true })).toMatchObject([
      { day: null, is_sample: true },
    ]);
  });
});
