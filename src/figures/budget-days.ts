/** The days on which budgets are compared, and their fiscal years and months. */
import { addDays, firstOfMonth, monthAt, monthNumber } from './calendar.ts';
import type { Day } from './calendar.ts';
import type { FiscalMoment } from './windows.ts';

/** A day for which budget and spend are compared; for a past day, `today` is later than `as_of`. */
export interface BudgetDay extends FiscalMoment {
  readonly today: Day;
}

// The contract promises the snapshot's day and the last eight complete fiscal quarters.
const QUARTERS_BACK = 8;

/** The days of comparison of a snapshot, in time order: the ends of the last quarters, then its own day. */
export function budgetDays(moment: FiscalMoment): readonly BudgetDay[] {
  return [...quarterEndsBefore(moment, QUARTERS_BACK), moment.as_of].map((as_of) => ({
    ...moment,
    as_of,
    today: moment.as_of,
  }));
}

/** The last days of the `count` fiscal quarters that ended before a day, in time order. */
export function quarterEndsBefore(moment: FiscalMoment, count: number): readonly Day[] {
  const current = firstMonthOf(moment, 3);
  return Array.from({ length: count }, (_, index) => addDays(monthAt(current - 3 * (count - 1 - index)), -1));
}

/** The first month of the day's fiscal year, as `monthNumber` counts it. */
export function fiscalYearStart(moment: FiscalMoment): number {
  return firstMonthOf(moment, 12);
}

/** The last month that was complete by the day: its last day is before today and not after `as_of`. */
export function lastCompleteMonth({ as_of, today }: BudgetDay): number {
  const dayAfter = as_of < today ? addDays(as_of, 1) : today;
  return monthNumber(firstOfMonth(dayAfter)) - 1;
}

function firstMonthOf({ as_of, fiscal_year_start_month }: FiscalMoment, length: 3 | 12): number {
  const month = monthNumber(as_of);
  return month - ((month - (fiscal_year_start_month - 1)) % length);
}
