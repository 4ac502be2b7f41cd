/** What conversion does to the figures that are reported: the same account before it, after it, and a month later. */
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIGURE_ROWS } from '../../../src/snapshot/builder/figure-rows.ts';
import { instantOf } from '../../support/instant-of.ts';
import { addCost, addValue, type Founded, foundAccount, inAccount } from '../../support/ledger-rows.ts';
import { type ConvertingLedger, openConversion } from './conversion-harness.ts';

const MARCH = { period_start: '2026-03-01', period_end: '2026-03-31' };
const APRIL = { period_start: '2026-04-01', period_end: '2026-04-30' };

let ledger: ConvertingLedger;
let reader: Client;
let home: Founded;
beforeAll(async () => {
  ledger = await openConversion();
  const { owner } = ledger;
  reader = await ledger.database.client('cf_reader');
  home = await foundAccount(owner);
  await inAccount(owner, home.account, async () => {
    await addValue(owner, home, { ...MARCH, amount_cents: 20_000 });
    const split = { vendor_price_effect_cents: 40_000, own_changes_effect_cents: 60_000 };
    await addValue(owner, home, { ...MARCH, currency: 'GBP', amount_cents: 100_000, ...split });
    await addValue(owner, home, { ...MARCH, currency: 'GBP', amount_cents: 30_000, entry_type: 'capacity' });
    await addValue(owner, home, {
      ...MARCH,
      currency: 'GBP',
      amount_cents: 10_000,
      entry_type: 'capacity_realized',
    });
    await addValue(owner, home, { ...APRIL, currency: 'EUR', amount_cents: 50_000 });
    await addCost(owner, home, { ...MARCH, amount_cents: 1_000 });
    await addCost(owner, home, { ...MARCH, currency: 'EUR', amount_cents: 10_000 });
    await addCost(owner, home, { ...MARCH, currency: 'KES', amount_cents: 99_900 });
    await addCost(owner, home, { ...APRIL, currency: 'EUR', amount_cents: 5_000, cost_category: 'capex' });
  });
});
afterAll(() => ledger.database.drop());

/** The portfolio's figures as `reported_totals` has them at the end of a day, by window. */
async function totals(day: string): Promise<Readonly<Record<string, unknown>>> {
  const generated_at = instantOf(`${day}T23:00:00.000000Z`);
  const rows = FIGURE_ROWS['reported_totals'];
  if (rows === undefined) throw new Error('reported_totals is computed elsewhere');
  return inAccount(reader, home.account, async () => {
    const found: Record<string, unknown> = {};
    for await (const row of rows(reader, { account_id: home.account, generated_at })) {
      const { scope, window_key, cash_value_cents, freed_capacity_cents, cost_cents, net_value_cents } = row;
      const { roi, capex_cents, opex_cents, vendor_price_effect_cents } = row;
      if (scope !== 'portfolio') continue;
      found[String(window_key)] = {
        cash_value_cents,
        freed_capacity_cents,
        cost_cents,
        capex_cents,
        opex_cents,
        net_value_cents,
        roi,
        vendor_price_effect_cents,
      };
    }
    return found;
  });
}

describe('the figures of /roi in reported_totals', () => {
  it('count dollars alone before conversion: without rates everything else is empty', async () => {
    await ledger.run(home.account, '2026-04-15');
    expect(await totals('2026-04-15')).toMatchObject({
      all: {
        cash_value_cents: 20_000n,
        freed_capacity_cents: 0n,
        cost_cents: 1_000n,
        capex_cents: 0n,
        opex_cents: 1_000n,
        net_value_cents: 19_000n, // 20000 − 1000
        roi: 19, // 19000 / 1000
        vendor_price_effect_cents: null,
      },
    });
  });

  it('count what is converted after it: averages, and the latest rate for a cost of this month', async () => {
    await ledger.publish(
      '2026-03-02 USD 1.10',
      '2026-03-31 USD 1.20',
      '2026-04-14 USD 1.24',
      '2026-03-02 GBP 0.88',
      '2026-03-31 GBP 0.80',
      '2026-04-14 GBP 0.80',
    );
    await ledger.run(home.account, '2026-04-15');
    // March: EUR (1.10 + 1.20) / 2 = 1.15; GBP (1.10 / 0.88 + 1.20 / 0.80) / 2 = (1.25 + 1.5) / 2 = 1.375.
    const march = {
      cash_value_cents: 171_250n, // 20000 + 100000 × 1.375 + realised 10000 × 1.375
      freed_capacity_cents: 27_500n, // (30000 − 10000) × 1.375
      cost_cents: 12_500n, // 1000 + 10000 × 1.15; shillings have no rate
      capex_cents: 0n,
      opex_cents: 12_500n,
      net_value_cents: 158_750n,
      roi: 12.7, // 158750 / 12500
      vendor_price_effect_cents: 55_000n, // 40000 × 1.375
    };
    expect(await totals('2026-04-15')).toMatchObject({
      'fy2026-q1': march,
      // April is not complete: its cost takes 1.24 of the 14th, its value waits.
      'fy2026-q2': {
        cash_value_cents: 0n,
        cost_cents: 6_200n,
        capex_cents: 6_200n,
        net_value_cents: -6_200n,
        roi: null,
      },
      all: {
        cash_value_cents: 171_250n,
        cost_cents: 18_700n,
        net_value_cents: 152_550n,
        roi: 152_550 / 18_700,
      },
    });
  });

  it('move with April once it is complete, and March stays', async () => {
    await ledger.publish('2026-04-30 USD 1.26');
    await ledger.run(home.account, '2026-04-30');
    // April: (1.24 + 1.26) / 2 = 1.25, for its cost (5000) and its value (50000).
    expect(await totals('2026-04-30')).toMatchObject({
      'fy2026-q1': { cash_value_cents: 171_250n, cost_cents: 12_500n },
      'fy2026-q2': {
        cash_value_cents: 62_500n,
        cost_cents: 6_250n,
        capex_cents: 6_250n,
        net_value_cents: 56_250n,
        roi: 9,
      },
      all: { cash_value_cents: 233_750n, cost_cents: 18_750n, net_value_cents: 215_000n },
    });
  });
});
