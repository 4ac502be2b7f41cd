/**
 * Compares an initiative's budget with its spend since the budget began. CapEx: spend against the total budget. OpEx: spend
 * against the budget of the months that have begun. The table, the API and the assistant share this computation.
 */
import { coverVersions, currentIn, lastCovered, opexBudget, opexOver } from './budget-coverage.ts';
import type { BudgetVersion, Coverage } from './budget-coverage.ts';
import { fiscalYearStart, lastCompleteMonth } from './budget-days.ts';
import type { BudgetDay } from './budget-days.ts';
import { lastOfMonth, monthAt, monthNumber, utcDay } from './calendar.ts';
import type { Day } from './calendar.ts';
import { divideRounded } from './cents.ts';

/** The spend of one month in the budget's currency; entries that cannot be converted are left out. */
export interface MonthlySpend {
  /** First day of the month in which an entry's period starts; for an entry without a period, of its booking month. */
  readonly month: Day;
  readonly capex_cents: bigint;
  readonly opex_cents: bigint;
}

/** One initiative: its budget versions of every status, and its spend through the day of comparison. */
export interface InitiativeBudget {
  readonly initiative_id: bigint;
  /** The initiative's own currency, used if there is no budget. */
  readonly currency: string;
  readonly versions: readonly BudgetVersion[];
  readonly spend: readonly MonthlySpend[];
}

/** The comparison as the API serves it. */
export interface BudgetComparison {
  readonly initiative_id: bigint;
  readonly budgeted: boolean;
  readonly status: 'no_budget' | 'scheduled' | 'within' | 'over';
  readonly over_parts: readonly ('capex' | 'opex')[];
  readonly currency: string;
  readonly as_of: Day;
  readonly capex_budget_cents: bigint;
  readonly capex_actual_cents: bigint;
  /** Negative if the budget is exceeded. */
  readonly capex_remaining_cents: bigint;
  readonly opex_budget_to_date_cents: bigint;
  readonly opex_actual_cents: bigint;
  readonly budget_monthly_run_rate_cents: bigint;
  /** Null until one covered month is complete. */
  readonly actual_monthly_run_rate_cents: bigint | null;
  readonly budget_to_date_cents: bigint;
  readonly actual_to_date_cents: bigint;
  /** Budget minus actual spend; positive if less was spent. */
  readonly variance_cents: bigint;
  /** Null where the budget to date is 0. */
  readonly used_ratio: number | null;
  /** Spend before the budget began; no other figure includes it. */
  readonly spent_before_budget_cents: bigint;
  readonly opex_budget_fiscal_year_cents: bigint;
  readonly opex_budget_fiscal_ytd_cents: bigint;
  readonly opex_actual_fiscal_ytd_cents: bigint;
  /** First day of the first month of the first approved version; null without one. */
  readonly budget_started_on: Day | null;
  /** More than one approved version had been decided by `as_of`. */
  readonly revised: boolean;
  readonly version_count: number;
  readonly revision_pending: boolean;
  /**
   * The version for the month of `as_of`, even if the version has ended. Null if the first budget version starts later or
   * is missing.
   */
  readonly current_version: BudgetVersion | null;
  /** True if `current_version` still covers the month of `as_of`. Only then does `budget_vs_actual` have a row. */
  readonly in_effect: boolean;
}

/** Amounts of CapEx and OpEx. */
type Halves = Pick<MonthlySpend, 'capex_cents' | 'opex_cents'>;

const RUN_RATE_MONTHS = 3;

/** The comparison of one initiative on one day, with the versions and entries known today. */
export function compareBudget(initiative: InitiativeBudget, day: BudgetDay): BudgetComparison {
  const { versions, spend } = initiative;
  const coverages = coverVersions(versions);
  const month = monthNumber(day.as_of);
  const yearStart = fiscalYearStart(day);
  // 1. The budget: its first month, and the version of the day's month. Without a budget the first month is Infinity.
  const begins = coverages[0]?.from ?? Infinity;
  const current = currentIn(coverages, month);
  const version = current?.version ?? null;
  const budget: Halves = {
    capex_cents: version?.capex_cents ?? 0n,
    opex_cents: opexBudget(coverages, begins, month),
  };
  // 2. The spend: before the budget began, and since then.
  const actual = spentIn(spend, begins, month);
  const before = coverages.length === 0 ? NOTHING : spentIn(spend, -Infinity, Math.min(begins - 1, month));
  // 3. Compare the two.
  const budgetToDate = sumOf(budget);
  const actualToDate = sumOf(actual);
  const over = overParts(budget, actual);
  return {
    initiative_id: initiative.initiative_id,
    budgeted: coverages.length > 0,
    status: statusOf(coverages, current, over),
    over_parts: over,
    currency: coverages[0]?.version.currency ?? initiative.currency,
    as_of: day.as_of,
    capex_budget_cents: budget.capex_cents,
    capex_actual_cents: actual.capex_cents,
    capex_remaining_cents: budget.capex_cents - actual.capex_cents,
    opex_budget_to_date_cents: budget.opex_cents,
    opex_actual_cents: actual.opex_cents,
    budget_monthly_run_rate_cents: version === null ? 0n : opexOver(version, 1),
    actual_monthly_run_rate_cents: actualRunRate(spend, lastComplete(coverages, day)),
    budget_to_date_cents: budgetToDate,
    actual_to_date_cents: actualToDate,
    variance_cents: budgetToDate - actualToDate,
    used_ratio: budgetToDate === 0n ? null : Number(actualToDate) / Number(budgetToDate),
    spent_before_budget_cents: sumOf(before),
    opex_budget_fiscal_year_cents: opexBudget(coverages, yearStart, yearStart + 11),
    opex_budget_fiscal_ytd_cents: opexBudget(coverages, yearStart, month),
    opex_actual_fiscal_ytd_cents: spentIn(spend, Math.max(yearStart, begins), month).opex_cents,
    budget_started_on: coverages.length === 0 ? null : monthAt(begins),
    revised: approvedBy(versions, day.as_of) > 1,
    version_count: versions.filter((each) => each.status === 'approved').length,
    revision_pending: versions.some((each) => each.status === 'pending' && each.source === 'revision'),
    current_version: version,
    in_effect: current !== null && month <= current.through,
  };
}

/** The last day of the budget's last month, where it has ended by the compared day; null while a version covers that day. */
export function endedOn({
  in_effect,
  current_version,
}: Pick<BudgetComparison, 'in_effect' | 'current_version'>): Day | null {
  const ends_on = current_version?.ends_on ?? null;
  return in_effect || ends_on === null ? null : lastOfMonth(ends_on);
}

const NOTHING: Halves = { capex_cents: 0n, opex_cents: 0n };

function statusOf(
  coverages: readonly Coverage[],
  current: Coverage | null,
  over: BudgetComparison['over_parts'],
): BudgetComparison['status'] {
  if (coverages.length === 0) return 'no_budget';
  if (current === null) return 'scheduled';
  return over.length > 0 ? 'over' : 'within';
}

/** The parts that are over budget. Spending a budget to the cent is not over. */
function overParts(budget: Halves, actual: Halves): BudgetComparison['over_parts'] {
  const { capex_cents, opex_cents } = overspent(budget, actual);
  return [...(capex_cents > 0n ? (['capex'] as const) : []), ...(opex_cents > 0n ? (['opex'] as const) : [])];
}

/** The cents by which CapEx and OpEx exceed their budgets; 0 for a part within its budget. */
export function overspent(budget: Halves, actual: Halves): Halves {
  const excess = (of: keyof Halves): bigint => (actual[of] > budget[of] ? actual[of] - budget[of] : 0n);
  return { capex_cents: excess('capex_cents'), opex_cents: excess('opex_cents') };
}

/** The spend of the months `from` to `through`. */
function spentIn(spend: readonly MonthlySpend[], from: number, through: number): Halves {
  let { capex_cents, opex_cents } = NOTHING;
  for (const each of spend) {
    const month = monthNumber(each.month);
    if (month < from || month > through) continue;
    capex_cents += each.capex_cents;
    opex_cents += each.opex_cents;
  }
  return { capex_cents, opex_cents };
}

function lastComplete(coverages: readonly Coverage[], day: BudgetDay): readonly Day[] {
  return lastCovered(coverages, lastCompleteMonth(day), RUN_RATE_MONTHS);
}

/** The mean OpEx of some months; a month without spend counts as 0. Null if there are no months. */
function actualRunRate(spend: readonly MonthlySpend[], months: readonly Day[]): bigint | null {
  if (months.length === 0) return null;
  let spent = 0n;
  for (const each of spend) if (months.includes(each.month)) spent += each.opex_cents;
  return divideRounded(spent, BigInt(months.length));
}

/** The number of approved versions that were decided by the end of a day. */
function approvedBy(versions: readonly BudgetVersion[], day: Day): number {
  return versions.filter(
    ({ status, decided_at }) => status === 'approved' && decided_at !== null && utcDay(decided_at) <= day,
  ).length;
}

function sumOf({ capex_cents, opex_cents }: Halves): bigint {
  return capex_cents + opex_cents;
}
