/** Budget versions for tests: what a case does not say is a plain approved version in dollars. */
import type { BudgetVersion } from '../../src/figures/budget-coverage.ts';
import type { BudgetComparison, InitiativeBudget, MonthlySpend } from '../../src/figures/budget.ts';
import { compareBudget } from '../../src/figures/budget.ts';

/** 1200.00 of CapEx and 100.00 of OpEx a month from January 2026, decided on 1 December 2025. */
export const version = (overrides: Partial<BudgetVersion> = {}): BudgetVersion => ({
  id: 1n,
  status: 'approved',
  source: 'approval',
  capex_cents: 120_000n,
  opex_cents: 10_000n,
  opex_cadence: 'monthly',
  currency: 'USD',
  effective_from: '2026-01-01',
  ends_on: null,
  reason: null,
  set_by: null,
  decided_at: decided('2025-12-01'),
  ...overrides,
});

/** The first microsecond of a day. */
export function decided(day: string): bigint {
  return BigInt(Date.parse(`${day}T00:00:00Z`)) * 1000n;
}

/** OpEx of one month, and CapEx where given. */
export const spent = (month: string, opex_cents: bigint, capex_cents = 0n): MonthlySpend => ({
  month: `${month}-01`,
  capex_cents,
  opex_cents,
});

interface Case {
  readonly versions?: readonly BudgetVersion[];
  readonly spend?: readonly MonthlySpend[];
  readonly as_of?: string;
  readonly today?: string;
  readonly fiscal_year_start_month?: number;
}

/** The comparison of initiative 7, in euros by itself, on 15 July 2026 unless said otherwise. */
export function compared({
  versions = [version()],
  spend = [],
  as_of = '2026-07-15',
  today = as_of,
  fiscal_year_start_month = 1,
}: Case): BudgetComparison {
  const initiative: InitiativeBudget = { initiative_id: 7n, currency: 'EUR', versions, spend };
  return compareBudget(initiative, { as_of, today, fiscal_year_start_month });
}
