import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/figures/plan.ts';
import type { EntrySums } from '../../src/figures/rollup.ts';
import { foldTotals } from '../../src/figures/totals.ts';
import type { ReportedTotal } from '../../src/figures/totals.ts';

/** 20 May 2026, in the second quarter of a calendar year. */
const moment = { as_of: '2026-05-20', fiscal_year_start_month: 1 };

const noPlan: Plan = {
  stage: 'live',
  is_sample: false,
  confirmed: true,
  currency: 'USD',
  usd_rate: null,
  value_total_cents: 0n,
  capacity_total_cents: 0n,
  opex_total_cents: 0n,
  capex_cents: 0n,
  horizon_months: 0,
  went_live_on: null,
  started_on: null,
  approved_on: null,
  time_to_value_months: null,
};

/** A group of one month, its latest entry on the 20th; no month, no day. */
const group = (month: string | null, sums: Partial<EntrySums>): EntrySums => ({
  initiative_id: 1n,
  month,
  latest_day: month === null ? null : `${month.slice(0, 8)}20`,
  cash_value_cents: 0n,
  capacity_cents: 0n,
  capacity_realized_cents: 0n,
  capex_cents: 0n,
  opex_cents: 0n,
  vendor_price_effect_cents: null,
  ...sums,
});

const keys = (rows: readonly ReportedTotal[]): string[] => rows.map((row) => row.window_key);

const row = (rows: readonly ReportedTotal[], key: string): ReportedTotal => {
  const found = rows.find((candidate) => candidate.window_key === key);
  if (found === undefined) throw new Error(`no row ${key}`);
  return found;
};

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

  it('state the plan due in each window, and all of it in all time', () => {
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
