import { describe, expect, it } from 'vitest';
import { foldTotals } from '../../src/figures/totals.ts';
import { group, keys, moment, noPlan, row } from './worked-scope.ts';

describe('the rows of the portfolio', () => {
  it('are all time alone, in zeros, for an account without initiatives', () => {
    expect(foldTotals(moment).portfolioRows()).toEqual([
      {
        scope: 'portfolio',
        initiative_id: null,
        window_kind: 'all_time',
        window_key: 'all',
        window_label: 'All time',
        from_date: null,
        through_date: '2026-05-20',
        window_complete: false,
        cash_value_cents: 0n,
        freed_capacity_cents: 0n,
        cost_cents: 0n,
        net_value_cents: 0n,
        roi: null,
        capex_cents: 0n,
        opex_cents: 0n,
        planned_value_to_date_cents: 0n,
        planned_capacity_to_date_cents: 0n,
        planned_opex_to_date_cents: 0n,
        planned_capex_cents: 0n,
        vendor_price_effect_cents: null,
      },
    ]);
  });

  it('add up initiatives, and floor freed capacity before they do', () => {
    const fold = foldTotals(moment);
    fold.addInitiative({
      initiative_id: 1n,
      groups: [
        group('2026-01-01', { capacity_cents: 100n, capex_cents: 7n, vendor_price_effect_cents: 4n }), // 100
        group('2026-04-01', { cash_value_cents: 30n, capacity_realized_cents: 30n }), // −30 → 0
      ],
      plan: noPlan,
    });
    fold.addInitiative({
      initiative_id: 2n,
      groups: [
        group('2026-01-01', { cash_value_cents: 60n, capacity_realized_cents: 60n, opex_cents: 13n }), // −60 → 0
        group(null, { capacity_cents: 8n, capacity_realized_cents: 3n, vendor_price_effect_cents: -1n }), // 5
      ],
      plan: noPlan,
    });
    const rows = fold.portfolioRows();
    expect(keys(rows)).toEqual(['all', 'fy2026', 'fy2026-q1', 'fy2026-q2']);
    expect(row(rows, 'fy2026-q1')).toMatchObject({
      scope: 'portfolio',
      initiative_id: null,
      cash_value_cents: 60n,
      freed_capacity_cents: 100n,
      cost_cents: 20n, // 7 + 13
      net_value_cents: 40n, // 60 − 20
      roi: 2, // 40 ÷ 20
      capex_cents: 7n,
      opex_cents: 13n,
      vendor_price_effect_cents: 4n,
    });
    expect(row(rows, 'fy2026-q2')).toMatchObject({ cash_value_cents: 30n, vendor_price_effect_cents: null });
    expect(row(rows, 'all')).toMatchObject({
      cash_value_cents: 90n, // 60 + 30
      freed_capacity_cents: 105n, // 100 + 5
      vendor_price_effect_cents: 3n, // 4 − 1
    });
  });

  it('reach from the earliest entry of any initiative to the latest of any', () => {
    const fold = foldTotals(moment);
    fold.addInitiative({ initiative_id: 1n, groups: [group('2026-07-01', {})], plan: noPlan });
    fold.addInitiative({ initiative_id: 2n, groups: [group('2026-03-01', {})], plan: noPlan });
    const rows = fold.portfolioRows();
    expect(keys(rows)).toEqual(['all', 'fy2026', 'fy2026-q1', 'fy2026-q2', 'fy2026-q3']);
    expect(row(rows, 'all').through_date).toBe('2026-07-20');
  });

  it('state the plan due in each window, and the whole plan in all time', () => {
    const fold = foldTotals(moment);
    fold.addInitiative({
      initiative_id: 1n,
      groups: [group('2026-02-01', { cash_value_cents: 1n })],
      // 12 steps of 100, 20 and 10 from November 2025: seven are due by 20 May 2026
      plan: {
        ...noPlan,
        value_total_cents: 1200n,
        capacity_total_cents: 240n,
        opex_total_cents: 120n,
        capex_cents: 500n,
        horizon_months: 12,
        started_on: '2025-11-30',
      },
    });
    fold.addInitiative({
      initiative_id: 2n,
      groups: [],
      // capex only, in April
      plan: { ...noPlan, capex_cents: 40n, approved_on: '2026-04-30' },
    });
    const planned = fold
      .portfolioRows()
      .map((r) => [
        r.window_key,
        r.planned_value_to_date_cents,
        r.planned_capacity_to_date_cents,
        r.planned_opex_to_date_cents,
        r.planned_capex_cents,
      ]);
    expect(planned).toEqual([
      ['all', 700n, 140n, 70n, 540n], // November to May; 500 + 40
      ['fy2026', 500n, 100n, 50n, 40n], // January to May
      ['fy2026-q1', 300n, 60n, 30n, 0n], // January to March
      ['fy2026-q2', 200n, 40n, 20n, 40n], // April and May
    ]);
  });

  it('open no window for a plan', () => {
    const fold = foldTotals(moment);
    const plan = { ...noPlan, capex_cents: 500n, started_on: '2024-01-01' };
    fold.addInitiative({ initiative_id: 1n, groups: [], plan });
    const rows = fold.portfolioRows();
    expect(keys(rows)).toEqual(['all']);
    expect(rows[0]?.planned_capex_cents).toBe(500n);
  });
});
