/** The small scopes that the tests of `reported_totals` are worked on. */
import type { Plan } from '../../src/figures/plan.ts';
import type { EntrySums } from '../../src/figures/rollup.ts';
import type { ReportedTotal } from '../../src/figures/totals.ts';

/** 20 May 2026, in the second quarter of a calendar year. */
export const moment = { as_of: '2026-05-20', fiscal_year_start_month: 1 };

export const noPlan: Plan = {
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
export const group = (month: string | null, sums: Partial<EntrySums>): EntrySums => ({
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

export const keys = (rows: readonly ReportedTotal[]): string[] => rows.map((row) => row.window_key);

export const row = (rows: readonly ReportedTotal[], key: string): ReportedTotal => {
  const found = rows.find((candidate) => candidate.window_key === key);
  if (found === undefined) throw new Error(`no row ${key}`);
  return found;
};
