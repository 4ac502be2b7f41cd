/** Sums by month, from which windows of whole months are computed. Memory grows only with the number of months. */
import { monthNumber } from './calendar.ts';
import type { Day } from './calendar.ts';

export interface MonthlySums<T> {
  /** Adds an amount to its month; an amount without a month is only in the total. */
  put(month: Day | null, amount: T): void;
  /** The sum of all amounts. */
  total(): T;
  /** The sum of the amounts without a month. */
  undated(): T;
  /** The sum of the months from `from`, the first day of a month, through `through`, the last day of a month. */
  between(from: Day, through: Day): T;
  /** The first and the last month with an amount; null if there is none. */
  extent(): { readonly first: Day; readonly last: Day } | null;
  /** The number of months with an amount. */
  size(): number;
}

/** Starts empty monthly sums; `zero` and `plus` define how amounts are added. */
export function monthlySums<T>(zero: T, plus: (a: T, b: T) => T): MonthlySums<T> {
  // Keyed by month number: a window reads many months, and numbers need no formatting.
  const months = new Map<number, T>();
  let total = zero;
  let undated = zero;
  let extent: { first: Day; last: Day } | null = null;
  return {
    put(month, amount) {
      total = plus(total, amount);
      if (month === null) {
        undated = plus(undated, amount);
        return;
      }
      const number = monthNumber(month);
      months.set(number, plus(months.get(number) ?? zero, amount));
      extent ??= { first: month, last: month };
      if (month < extent.first) extent.first = month;
      if (month > extent.last) extent.last = month;
    },
    total: () => total,
    undated: () => undated,
    between(from, through) {
      let sum = zero;
      const last = monthNumber(through);
      for (let month = monthNumber(from); month <= last; month++) {
        const amount = months.get(month);
        if (amount !== undefined) sum = plus(sum, amount);
      }
      return sum;
    },
    extent: () => extent,
    size: () => months.size,
  };
}
