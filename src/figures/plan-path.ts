/** The plan of an initiative by month, and the month since which its planned, or its actual, cash value covers its cost. */
import { add, type CashCents, cents, type Cents, divideRounded, netOf } from './cents.ts';
import { type Day, firstOfMonth } from './calendar.ts';
import { type CostAndCash, type MonthFigures, NONE } from './month-series.ts';
import { addDue, duePlan, NOTHING_DUE, type Plan, type PlanDue } from './plan.ts';

/** One month of a plan. */
export interface PlanMonth {
  /** The first day of the month. */
  readonly month: Day;
  /** Planned cash value due in this month and all months before it. */
  readonly value_cents: CashCents;
  /** `value_cents` less the planned cost due in these months. */
  readonly net_cents: Cents;
}

export interface PlanPath {
  /** The months in which a planned amount falls due, in time order. */
  readonly months: readonly PlanMonth[];
  /** The last of `months` that has begun by `as_of`; null if none has. */
  readonly due: PlanMonth | null;
  /** The month from which on planned value covers planned cost; null if it never does. */
  readonly break_even: Day | null;
}

/** The cash value of one month in the currency of a plan; the month is null for value without a period. */
export interface CashInMonth {
  readonly month: Day | null;
  readonly cash_cents: bigint;
}

const LAST_DAY: Day = '9998-12-31';

/**
 * The whole plan, and what is due by `as_of`. Null if no cash value and no cost ever falls due, or if totals leave
 * the plan out (`counts` in plan.ts).
 */
export function planPath(plan: Plan, as_of: Day): PlanPath | null {
  const parts = [...duePlan(plan, LAST_DAY)].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const months: PlanMonth[] = [];
  let sum = NOTHING_DUE;
  for (const [month, due] of parts) {
    sum = addDue(sum, due);
    const value_cents = sum.planned_value_to_date_cents;
    const cost = add(sum.planned_opex_to_date_cents, sum.planned_capex_cents);
    const last = { month, value_cents, net_cents: netOf(value_cents, cost) };
    if (months.at(-1)?.month === month) months.pop();
    months.push(last);
  }
  if (isNothing(sum)) return null;
  return {
    months,
    due: months.findLast(({ month }) => month <= as_of) ?? null,
    break_even: coveredSince(months.map(({ month, net_cents }) => ({ month, net: net_cents }))),
  };
}

/** The place of the first month with an amount, 0 if `earlier` has amounts; -1 if there is no amount. */
export function firstWithAmount(months: readonly CostAndCash[], earlier: CostAndCash = NONE): number {
  return hasAmount(earlier) ? 0 : months.findIndex(hasAmount);
}

/** True if cash value before the first month covered cost: what is paid back since that month was paid back before it. */
export function isCovered(earlier: CostAndCash = NONE): boolean {
  return hasAmount(earlier) && earlier.cash_value_cents >= earlier.cost_cents;
}

function hasAmount({ cost_cents, cash_value_cents }: CostAndCash): boolean {
  return cost_cents !== 0n || cash_value_cents !== 0n;
}

/**
 * The month since which the running sum of cash value covers the running sum of cost in every month. It is never before the first
 * amount. Null if cost is not covered in the last month, or if cash value does not add up to more than zero. `earlier`: amounts
 * before the first month, which its running sums have.
 */
export function paidBackSince(months: readonly MonthFigures[], earlier: CostAndCash = NONE): Day | null {
  const from = firstWithAmount(months, earlier);
  if (from < 0) return null;
  if ((months.at(-1)?.cumulative_cash_cents ?? 0n) <= 0n) return null;
  return coveredSince(
    months.slice(from).map(({ month, cumulative_net_cents }) => ({ month, net: cumulative_net_cents })),
  );
}

function isNothing({
  planned_value_to_date_cents,
  planned_opex_to_date_cents,
  planned_capex_cents,
}: PlanDue): boolean {
  return (
    planned_value_to_date_cents === 0n && planned_opex_to_date_cents === 0n && planned_capex_cents === 0n
  );
}

function coveredSince(months: readonly { readonly month: Day; readonly net: Cents }[]): Day | null {
  const last_short = months.findLastIndex(({ net }) => net < 0n);
  return months[last_short + 1]?.month ?? null;
}

/** The cash value so far in each month that has some, in time order; value without a period is in no month. */
export function cashSoFar(
  cash: readonly CashInMonth[],
): readonly { readonly month: Day; readonly cash_cents: bigint }[] {
  let so_far = 0n;
  return cash
    .flatMap(({ month, cash_cents }) => (month === null ? [] : [{ month, cash_cents }]))
    .toSorted((a, b) => (a.month < b.month ? -1 : 1))
    .map(({ month, cash_cents }) => ({ month, cash_cents: (so_far += cash_cents) }));
}

const RATE_MONTHS = 3;

/** The mean cash value of the last three whole months before the month of `as_of`; null if there are fewer than three. */
export function runRate(months: readonly MonthFigures[], as_of: Day): Cents | null {
  const past = months.filter(({ month }) => month < firstOfMonth(as_of)).slice(-RATE_MONTHS);
  if (past.length < RATE_MONTHS) return null;
  const sum = past.reduce<bigint>((total, { cash_value_cents }) => total + cash_value_cents, 0n);
  return cents(divideRounded(sum, BigInt(RATE_MONTHS)));
}

/** Divides the cash value that arrived by the planned value that is due; null if none is due. */
export function shareOfDue(due: CashCents, arrived: bigint): number | null {
  return due > 0n ? Number(arrived) / Number(due) : null;
}
