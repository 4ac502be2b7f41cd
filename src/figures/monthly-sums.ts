/** Amounts kept by month: what windows of whole months are filled from, in memory bounded by the months alone. */
import { monthNumber } from './calendar.ts';
import type { Day } from './calendar.ts';

export interface MonthlySums<T> {
  /** Adds an amount to its month; one without a month is in the total only. */
  put(month: Day | null, amount: T): void;
  /** Everything put so far. */
  total(): T;
  /** What was put into the months from `from`, a first day, through `through`, a last one. */
  between(from: Day, through: Day): T;
  /** The first and the last month anything was put into; null when there is none. */
  extent(): { readonly first: Day; readonly last: Day } | null;
}

/** An empty set of monthly sums of amounts that `plus` adds, beginning with `zero`. */
export function monthlySums<T>(zero: T, plus: (a: T, b: T) => T): MonthlySums<T> {
  // By number: a window of a year asks for twelve of them, and none has to be spelled for it.
  const months = new Map<number, T>();
  let total = zero;
  let extent: { first: Day; last: Day } | null = null;
  return {
    put(month, amount) {
      total = plus(total, amount);
      if (month === null) return;
      const number = monthNumber(month);
      months.set(number, plus(months.get(number) ?? zero, amount));
      extent ??= { first: month, last: month };
      if (month < extent.first) extent.first = month;
      if (month > extent.last) extent.last = month;
    },
    total: () => total,
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
  };
}
