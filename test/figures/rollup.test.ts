import { describe, expect, it } from 'vitest';
import { openRollup } from '../../src/figures/rollup.ts';
import type { EntrySums, Rollup } from '../../src/figures/rollup.ts';

const group = (overrides: Partial<EntrySums>): EntrySums => ({
  initiative_id: 1n,
  month: '2026-01-01',
  latest_day: '2026-01-20',
  cash_value_cents: 0n,
  capacity_cents: 0n,
  capacity_realized_cents: 0n,
  capex_cents: 0n,
  opex_cents: 0n,
  vendor_price_effect_cents: null,
  ...overrides,
});

function rollUp(groups: readonly EntrySums[]): Rollup {
  const rollup = openRollup();
  for (const each of groups) rollup.add(each);
  return rollup;
}

const sumEntries = (groups: readonly EntrySums[]) => rollUp(groups).figures();

describe('the figures of a set of groups', () => {
  it('add up value and cost, and take cost from cash value for the net', () => {
    const figures = sumEntries([
      group({ cash_value_cents: 900n, capex_cents: 200n, opex_cents: 50n }),
      group({ initiative_id: 2n, cash_value_cents: 100n, capex_cents: 30n, opex_cents: 7n }),
    ]);
    expect(figures).toEqual({
      cash_value_cents: 1000n, // 900 + 100
      freed_capacity_cents: 0n,
      realized_capacity_cents: 0n,
      cost_cents: 287n, // 200 + 50 + 30 + 7
      capex_cents: 230n, // 200 + 30
      opex_cents: 57n, // 50 + 7
      net_value_cents: 713n, // 1000 − 287
      vendor_price_effect_cents: null,
    });
  });

  it('let a credit lower the cost, below zero if need be', () => {
    const figures = sumEntries([group({ cash_value_cents: 10n, opex_cents: -300n, capex_cents: 100n })]);
    expect(figures.cost_cents).toBe(-200n);
    expect(figures.net_value_cents).toBe(210n); // 10 − (−200)
  });

  it('are zeros, and no price effect, when there is no group', () => {
    expect(sumEntries([])).toEqual({
      cash_value_cents: 0n,
      freed_capacity_cents: 0n,
      realized_capacity_cents: 0n,
      cost_cents: 0n,
      capex_cents: 0n,
      opex_cents: 0n,
      net_value_cents: 0n,
      vendor_price_effect_cents: null,
    });
  });
});

describe('freed capacity', () => {
  it('is capacity less the part that became cash, and is not in net value', () => {
    const figures = sumEntries([
      // 60 of the 100 are cash already: the sums hold them in cash value
      group({ cash_value_cents: 60n, capacity_cents: 100n, capacity_realized_cents: 60n }),
    ]);
    expect(figures.freed_capacity_cents).toBe(40n);
    expect(figures.realized_capacity_cents).toBe(60n);
    expect(figures.net_value_cents).toBe(60n);
  });

  it('is floored at zero in each month, so that a late realisation takes nothing from another month', () => {
    const figures = sumEntries([
      group({ month: '2026-01-01', capacity_cents: 100n }), // 100
      group({ month: '2026-02-01', capacity_cents: 10n, capacity_realized_cents: 50n }), // −40 → 0
    ]);
    expect(figures.freed_capacity_cents).toBe(100n); // 60 without the floor
    expect(figures.realized_capacity_cents).toBe(50n);
  });

  it('is floored at zero in each initiative', () => {
    const figures = sumEntries([
      group({ initiative_id: 1n, capacity_cents: 70n }), // 70
      group({ initiative_id: 2n, capacity_realized_cents: 30n }), // −30 → 0
    ]);
    expect(figures.freed_capacity_cents).toBe(70n);
  });

  it('treats the undated entries of an initiative as one group', () => {
    const figures = sumEntries([
      group({ month: null, latest_day: null, capacity_cents: 20n, capacity_realized_cents: 50n }), // −30 → 0
      group({ month: '2026-01-01', capacity_cents: 5n }), // 5
    ]);
    expect(figures.freed_capacity_cents).toBe(5n);
  });
});

describe('the vendor price effect', () => {
  it('adds up what is there', () => {
    const figures = sumEntries([
      group({ vendor_price_effect_cents: null }),
      group({ initiative_id: 2n, vendor_price_effect_cents: -30n }),
      group({ initiative_id: 3n, vendor_price_effect_cents: 10n }),
    ]);
    expect(figures.vendor_price_effect_cents).toBe(-20n);
  });

  it('is zero, not empty, when the split that is there comes to zero', () => {
    expect(sumEntries([group({ vendor_price_effect_cents: 0n })]).vendor_price_effect_cents).toBe(0n);
  });
});

describe('the latest day', () => {
  it('is that of the latest group, in any order of groups', () => {
    const rollup = rollUp([
      group({ latest_day: '2026-01-20' }),
      group({ month: '2026-03-01', latest_day: '2026-03-02' }),
      group({ month: null, latest_day: null }),
      group({ month: '2026-02-01', latest_day: '2026-02-28' }),
    ]);
    expect(rollup.latestDay()).toBe('2026-03-02');
  });

  it('is null when no entry has a date', () => {
    expect(rollUp([group({ month: null, latest_day: null })]).latestDay()).toBeNull();
  });
});
