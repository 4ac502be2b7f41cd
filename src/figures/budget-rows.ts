/** The rows of `budget_vs_actual`, made one initiative at a time. */
import { compareBudget } from './budget.ts';
import type { BudgetComparison, InitiativeBudget } from './budget.ts';
import { budgetDays } from './budget-days.ts';
import type { Day } from './calendar.ts';
import type { FiscalMoment } from './windows.ts';

/**
 * A row of `budget_vs_actual` without its `snapshot_id`, columns in published order. It is a `type`, because TypeScript
 * does not let an interface be indexed by column name.
 */
export type BudgetRow = {
  readonly as_of: Day;
  readonly initiative_id: bigint;
  readonly status: 'within' | 'over';
  readonly budget_id: bigint;
  readonly revised: boolean;
  readonly capex_budget_cents: bigint;
  readonly capex_actual_cents: bigint;
  readonly opex_budget_to_date_cents: bigint;
  readonly opex_actual_cents: bigint;
  readonly budget_to_date_cents: bigint;
  readonly actual_to_date_cents: bigint;
  readonly variance_cents: bigint;
  readonly opex_budget_fiscal_year_cents: bigint;
  readonly opex_budget_fiscal_ytd_cents: bigint;
  readonly opex_actual_fiscal_ytd_cents: bigint;
  readonly spent_before_budget_cents: bigint;
  readonly budget_monthly_run_rate_cents: bigint;
  readonly actual_monthly_run_rate_cents: bigint | null;
  readonly currency: string;
};

/**
 * The rows of the snapshot's day and of the quarter ends before it. If the initiatives come by ascending id, the rows are
 * ordered by initiative, then day. An order by day first would need all initiatives in memory, or a read for each day.
 */
export async function* budgetRows(
  initiatives: AsyncIterable<InitiativeBudget>,
  moment: FiscalMoment,
): AsyncGenerator<BudgetRow> {
  const days = budgetDays(moment);
  for await (const initiative of initiatives) {
    for (const day of days) {
      const row = budgetRow(compareBudget(initiative, day));
      if (row !== null) yield row;
    }
  }
}

/** The row of a comparison; null if no approved version covers the month of the compared day. */
export function budgetRow(comparison: BudgetComparison): BudgetRow | null {
  const { status, current_version, in_effect } = comparison;
  if (current_version === null || !in_effect || (status !== 'within' && status !== 'over')) return null;
  return {
    as_of: comparison.as_of,
    initiative_id: comparison.initiative_id,
    status,
    budget_id: current_version.id,
    revised: comparison.revised,
    capex_budget_cents: comparison.capex_budget_cents,
    capex_actual_cents: comparison.capex_actual_cents,
    opex_budget_to_date_cents: comparison.opex_budget_to_date_cents,
    opex_actual_cents: comparison.opex_actual_cents,
    budget_to_date_cents: comparison.budget_to_date_cents,
    actual_to_date_cents: comparison.actual_to_date_cents,
    variance_cents: comparison.variance_cents,
    opex_budget_fiscal_year_cents: comparison.opex_budget_fiscal_year_cents,
    opex_budget_fiscal_ytd_cents: comparison.opex_budget_fiscal_ytd_cents,
    opex_actual_fiscal_ytd_cents: comparison.opex_actual_fiscal_ytd_cents,
    spent_before_budget_cents: comparison.spent_before_budget_cents,
    budget_monthly_run_rate_cents: comparison.budget_monthly_run_rate_cents,
    actual_monthly_run_rate_cents: comparison.actual_monthly_run_rate_cents,
    currency: comparison.currency,
  };
}
