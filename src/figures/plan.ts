/** The planned value and cost of an initiative that are due by a day: equal monthly steps over its horizon, in dollars. */
import { firstOfMonth, monthAt, monthNumber } from './calendar.ts';
import type { Day } from './calendar.ts';
import { add, capacity, cash, cents, convert, divideRounded } from './cents.ts';
import type { CapacityCents, CashCents, Cents } from './cents.ts';

/** An initiative's plan. Amounts are in `currency`; all except capex are totals over the whole horizon. */
export interface Plan {
  readonly stage: string;
  readonly is_sample: boolean;
  /** False only if the service filled in the plan and no person has confirmed it. */
  readonly confirmed: boolean;
  readonly currency: string;
  /** Dollars per unit of `currency`: the latest rate published by `as_of`. Null for dollars, or if there is no rate. */
  readonly usd_rate: string | null;
  readonly value_total_cents: bigint;
  readonly capacity_total_cents: bigint;
  readonly opex_total_cents: bigint;
  readonly capex_cents: bigint;
  /** Twelve times the horizon in years; 0 if none is set. */
  readonly horizon_months: number;
  readonly went_live_on: Day | null;
  readonly started_on: Day | null;
  readonly approved_on: Day | null;
  readonly time_to_value_months: number | null;
}

/** Planned amounts that are due, in dollars. */
export interface PlanDue {
  readonly planned_value_to_date_cents: CashCents;
  readonly planned_capacity_to_date_cents: CapacityCents;
  readonly planned_opex_to_date_cents: Cents;
  readonly planned_capex_cents: Cents;
}

/** Nothing due: zeros, not null. */
export const NOTHING_DUE: PlanDue = {
  planned_value_to_date_cents: cash(0n),
  planned_capacity_to_date_cents: capacity(0n),
  planned_opex_to_date_cents: cents(0n),
  planned_capex_cents: cents(0n),
};

/** The sum of the due amounts of two plans or two months. */
export function addDue(a: PlanDue, b: PlanDue): PlanDue {
  return {
    planned_value_to_date_cents: add(a.planned_value_to_date_cents, b.planned_value_to_date_cents),
    planned_capacity_to_date_cents: add(a.planned_capacity_to_date_cents, b.planned_capacity_to_date_cents),
    planned_opex_to_date_cents: add(a.planned_opex_to_date_cents, b.planned_opex_to_date_cents),
    planned_capex_cents: add(a.planned_capex_cents, b.planned_capex_cents),
  };
}

/**
 * The parts of a plan that are due by `as_of`, each with the first day of its month. A month may occur twice: for CapEx and
 * for a monthly step. Empty for a plan that does not count.
 */
export function* duePlan(plan: Plan, as_of: Day): Generator<readonly [month: Day, due: PlanDue]> {
  if (!counts(plan)) return;
  const capexDay = plan.started_on ?? plan.approved_on;
  if (capexDay !== null && capexDay <= as_of) {
    yield [
      firstOfMonth(capexDay),
      { ...NOTHING_DUE, planned_capex_cents: cents(dollars(plan, plan.capex_cents)) },
    ];
  }
  const start = firstStepMonth(plan);
  if (start === null) return;
  const months = plan.horizon_months;
  // A step is due on the first day of its month, so the month of `as_of` is included.
  const dueSteps = Math.min(months, monthNumber(as_of) - start + 1);
  const value = dollars(plan, plan.value_total_cents);
  const freed = dollars(plan, plan.capacity_total_cents);
  const opex = dollars(plan, plan.opex_total_cents);
  for (let step = 1; step <= dueSteps; step++) {
    yield [
      monthAt(start + step - 1),
      {
        planned_value_to_date_cents: cash(monthlyStep(value, step, months)),
        planned_capacity_to_date_cents: capacity(monthlyStep(freed, step, months)),
        planned_opex_to_date_cents: cents(monthlyStep(opex, step, months)),
        planned_capex_cents: cents(0n),
      },
    ];
  }
}

/** One of `steps` equal steps: the difference of two rounded running totals, so that all steps add up to the total. */
export function monthlyStep(total: bigint, step: number, steps: number): bigint {
  const through = (done: number): bigint => divideRounded(total * BigInt(done), BigInt(steps));
  return through(step) - through(step - 1);
}

/** True if planned figures include the plan. Plans of paused and completed initiatives continue to count. */
function counts(plan: Plan): boolean {
  return (
    !plan.is_sample &&
    plan.confirmed &&
    plan.stage !== 'rejected' &&
    plan.stage !== 'dismissed' &&
    (plan.currency === 'USD' || plan.usd_rate !== null)
  );
}

/**
 * Converts an amount to dollars. Totals are converted before they are divided: converted steps would not add up to them.
 */
function dollars(plan: Plan, amount: bigint): bigint {
  return plan.usd_rate === null ? amount : convert(amount, plan.usd_rate);
}

/** The number of the month of the first step; null if the initiative is neither live nor started. */
function firstStepMonth(plan: Plan): number | null {
  if (plan.went_live_on !== null) return monthNumber(plan.went_live_on);
  // Time to value applies only here: a live initiative delivers its value already.
  if (plan.started_on !== null) return monthNumber(plan.started_on) + (plan.time_to_value_months ?? 0);
  return null;
}
