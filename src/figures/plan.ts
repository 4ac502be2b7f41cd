/** What an initiative's business case promises by a day: equal monthly steps of its whole horizon, in dollars. */
import { firstOfMonth, monthAt, monthNumber } from './calendar.ts';
import type { Day } from './calendar.ts';
import { add, capacity, cash, cents, convert, divideRounded } from './cents.ts';
import type { CapacityCents, CashCents, Cents } from './cents.ts';

/** One initiative's plan; amounts are in `currency`, and all but capex are totals over the whole horizon. */
export interface Plan {
  readonly stage: string;
  readonly is_sample: boolean;
  /** False only when the service filled the plan in and nobody confirmed it. */
  readonly confirmed: boolean;
  readonly currency: string;
  /** Dollars per unit of `currency`, latest published by the day described; null for dollars or where none is. */
  readonly usd_rate: string | null;
  readonly value_total_cents: bigint;
  readonly capacity_total_cents: bigint;
  readonly opex_total_cents: bigint;
  readonly capex_cents: bigint;
  /** Twelve times the horizon in years; 0 when none is set. */
  readonly horizon_months: number;
  readonly went_live_on: Day | null;
  readonly started_on: Day | null;
  readonly approved_on: Day | null;
  readonly time_to_value_months: number | null;
}

/** Planned amounts that have fallen due, in dollars. */
export interface PlanDue {
  readonly planned_value_to_date_cents: CashCents;
  readonly planned_capacity_to_date_cents: CapacityCents;
  readonly planned_opex_to_date_cents: Cents;
  readonly planned_capex_cents: Cents;
}

/** What is due where nothing is: zeros, never empty. */
export const NOTHING_DUE: PlanDue = {
  planned_value_to_date_cents: cash(0n),
  planned_capacity_to_date_cents: capacity(0n),
  planned_opex_to_date_cents: cents(0n),
  planned_capex_cents: cents(0n),
};

/** What is due of two plans, or in two months, together. */
export function addDue(a: PlanDue, b: PlanDue): PlanDue {
  return {
    planned_value_to_date_cents: add(a.planned_value_to_date_cents, b.planned_value_to_date_cents),
    planned_capacity_to_date_cents: add(a.planned_capacity_to_date_cents, b.planned_capacity_to_date_cents),
    planned_opex_to_date_cents: add(a.planned_opex_to_date_cents, b.planned_opex_to_date_cents),
    planned_capex_cents: add(a.planned_capex_cents, b.planned_capex_cents),
  };
}

/**
 * The parts of a plan that have fallen due by `as_of`, each with the first day of its month; a month may come twice.
 * Nothing for a plan that counts in no total.
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
  // A step falls due on the first day of its month, so the month of `as_of` is the last one.
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

/** One of `steps` equal steps: a difference of rounded running totals, so that all of them add up to the total. */
export function monthlyStep(total: bigint, step: number, steps: number): bigint {
  const through = (done: number): bigint => divideRounded(total * BigInt(done), BigInt(steps));
  return through(step) - through(step - 1);
}

/** Paused and completed plans accrue on: what was promised stays promised. */
function counts(plan: Plan): boolean {
  return (
    !plan.is_sample &&
    plan.confirmed &&
    plan.stage !== 'rejected' &&
    plan.stage !== 'dismissed' &&
    (plan.currency === 'USD' || plan.usd_rate !== null)
  );
}

/** Converted once, before it is cut into steps: the steps of a converted total add up, converted steps would not. */
function dollars(plan: Plan, amount: bigint): bigint {
  return plan.usd_rate === null ? amount : convert(amount, plan.usd_rate);
}

/** The number of the month the first step falls in; null when the plan has not begun and nobody knows when it will. */
function firstStepMonth(plan: Plan): number | null {
  if (plan.went_live_on !== null) return monthNumber(plan.went_live_on);
  // Time to value delays only this branch: what is live has reached its value.
  if (plan.started_on !== null) return monthNumber(plan.started_on) + (plan.time_to_value_months ?? 0);
  return null;
}
