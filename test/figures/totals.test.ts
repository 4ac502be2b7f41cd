import { describe, expect, it } from 'vitest';
import { foldTotals } from '../../src/figures/totals.ts';
import { group, keys, moment, noPlan, row } from './worked-scope.ts';

describe('the rows of an initiative', () => {
  it('are all time, then each year followed by its quarters', () => {
    const rows = foldTotals(moment).addInitiative({
      initiative_id: 7n,
      groups: [group('2025-11-01', { cash_value_cents: 5n })],
      plan: noPlan,
    });
    expect(keys(rows)).toEqual(['all', 'fy2025', 'fy2025-q4', 'fy2026', 'fy2026-q1', 'fy2026-q2']);
  });

  it('state its figures, and leave what only the portfolio states empty', () => {
    const rows = foldTotals(moment).addInitiative({
      initiative_id: 7n,
      groups: [
        group('2026-04-01', {
          cash_value_cents: 400n,
          capacity_cents: 90n,
          capacity_realized_cents: 20n,
          capex_cents: 200n,
          opex_cents: 100n,
          vendor_price_effect_cents: 3n,
        }),
      ],
      plan: { ...noPlan, capex_cents: 500n, started_on: '2026-01-15' },
    });
    expect(row(rows, 'fy2026-q2')).toEqual({
      scope: 'initiative',
      initiative_id: 7n,
      window_kind: 'fiscal_quarter',
      window_key: 'fy2026-q2',
      window_label: 'FY2026 Q2',
      from_date: '2026-04-01',
      through_date: '2026-06-30',
      window_complete: false,
      cash_value_cents: 400n,
      freed_capacity_cents: 70n, // 90 − 20
      cost_cents: 300n, // 200 + 100
      net_value_cents: 100n, // 400 − 300
      roi: 100 / 300,
      capex_cents: null,
      opex_cents: null,
      planned_value_to_date_cents: null,
      planned_capacity_to_date_cents: null,
      planned_opex_to_date_cents: null,
      planned_capex_cents: null,
      vendor_price_effect_cents: null,
    });
  });

  it('are all time alone, in zeros, when it has no entries', () => {
    const rows = foldTotals(moment).addInitiative({ initiative_id: 7n, groups: [], plan: noPlan });
    expect(keys(rows)).toEqual(['all']);
    expect(rows[0]).toMatchObject({
      through_date: '2026-05-20',
      cash_value_cents: 0n,
      cost_cents: 0n,
      roi: null,
    });
  });

  it('are all time alone when its entries have no date', () => {
    const rows = foldTotals(moment).addInitiative({
      initiative_id: 7n,
      groups: [group(null, { cash_value_cents: 12n })],
      plan: noPlan,
    });
    expect(keys(rows)).toEqual(['all']);
    expect(rows[0]?.cash_value_cents).toBe(12n);
  });

  it('begin where an entry without a dollar figure is the first', () => {
    const rows = foldTotals(moment).addInitiative({
      initiative_id: 7n,
      groups: [group('2026-01-01', {})],
      plan: noPlan,
    });
    expect(keys(rows)).toEqual(['all', 'fy2026', 'fy2026-q1', 'fy2026-q2']);
  });

  it('count what is dated after the day described where it falls and in all time', () => {
    const rows = foldTotals(moment).addInitiative({
      initiative_id: 7n,
      groups: [group('2026-05-01', { cash_value_cents: 1n }), group('2026-08-01', { cash_value_cents: 10n })],
      plan: noPlan,
    });
    expect(row(rows, 'all')).toMatchObject({ cash_value_cents: 11n, through_date: '2026-08-20' });
    expect(row(rows, 'fy2026').cash_value_cents).toBe(11n);
    expect(row(rows, 'fy2026-q2').cash_value_cents).toBe(1n);
    expect(row(rows, 'fy2026-q3').cash_value_cents).toBe(10n);
  });

  it('have zeros where nothing falls, and no ratio', () => {
    const rows = foldTotals(moment).addInitiative({
      initiative_id: 7n,
      groups: [group('2025-11-01', { cash_value_cents: 5n, opex_cents: 5n })],
      plan: noPlan,
    });
    expect(row(rows, 'fy2026-q1')).toMatchObject({
      cash_value_cents: 0n,
      freed_capacity_cents: 0n,
      cost_cents: 0n,
      net_value_cents: 0n,
      roi: null,
    });
    expect(row(rows, 'fy2025-q4').roi).toBe(0);
  });

  it('have no ratio without cash value', () => {
    const rows = foldTotals(moment).addInitiative({
      initiative_id: 7n,
      groups: [group('2026-05-01', { opex_cents: 5n })],
      plan: noPlan,
    });
    expect(row(rows, 'all')).toMatchObject({ net_value_cents: -5n, roi: null });
  });

  it('follow the fiscal year of the account', () => {
    const july = { as_of: '2026-05-20', fiscal_year_start_month: 7 };
    const rows = foldTotals(july).addInitiative({
      initiative_id: 7n,
      groups: [group('2025-06-01', { cash_value_cents: 1n }), group('2025-07-01', { cash_value_cents: 10n })],
      plan: noPlan,
    });
    expect(rows.map((r) => `${r.window_key} ${r.cash_value_cents} ${r.window_complete}`)).toEqual([
      'all 11 false',
      'fy2025 1 true', // July 2024 to June 2025
      'fy2025-q4 1 true',
      'fy2026 10 false', // July 2025 to June 2026
      'fy2026-q1 10 true',
      'fy2026-q2 0 true',
      'fy2026-q3 0 true',
      'fy2026-q4 0 false',
    ]);
  });
});
