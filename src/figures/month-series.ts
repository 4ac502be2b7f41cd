/** Cost and cash value month by month, with the running sum of net value, for the portfolio and for each initiative. */
import type { Day } from './calendar.ts';
import { addMonths, monthAt, monthNumber } from './calendar.ts';
import { add, cash, cents, netOf } from './cents.ts';
import type { CashCents, Cents } from './cents.ts';

/** The dollars of some entries. */
export interface CostAndCash {
  readonly cost_cents: Cents;
  readonly cash_value_cents: CashCents;
}

/** One month of the portfolio or of one initiative. */
export interface MonthFigures extends CostAndCash {
  /** The first day of the month. */
  readonly month: Day;
  readonly net_value_cents: Cents;
  /** Cash value of this month and of all months before it. */
  readonly cumulative_cash_cents: CashCents;
  /** Net value of this month and of all earlier months, also of those in `earlier`; entries without a date are left out. */
  readonly cumulative_net_cents: Cents;
}

/**
 * The figures of the portfolio or of one initiative, month by month without gaps. `months`, `earlier`, `later` and `undated`
 * together are the figures of all time.
 */
export interface MonthSeries {
  readonly months: readonly MonthFigures[];
  /** The sum of the months before the first of `months`. */
  readonly earlier: CostAndCash;
  /** The sum of the months after the last of `months`. */
  readonly later: CostAndCash;
  /** The entries without a month: they count only in all time. */
  readonly undated: CostAndCash;
}

/** The first and the last month to show, given by their first days. */
export interface MonthSpan {
  readonly first: Day;
  readonly last: Day;
}

/**
 * An entry of a snapshot. If `usd_amount_cents` is null, the entry has no dollar figure and adds nothing to the sums, but its
 * month still counts for `span`.
 */
interface MonthEntry {
  readonly initiative_id: bigint;
  /** The first day of its month. */
  readonly month: Day | null;
  readonly usd_amount_cents: bigint | null;
}

export interface MonthFold {
  addCost(entry: MonthEntry): void;
  /** Adds an approved value entry. Freed capacity is not cash: only its month counts, for `span`. */
  addValue(entry: MonthEntry, entry_type: string): void;
  /** The sums of all entries. Nothing is added afterwards. */
  close(): MonthSums;
}

export interface MonthSums {
  /** The months to show around the day `as_of`; null if no entry has a date. */
  span(as_of: Day): MonthSpan | null;
  portfolio(span: MonthSpan): MonthSeries;
  /** An initiative; all zero if it has no entry. */
  initiative(id: bigint, span: MonthSpan): MonthSeries;
  /** The memory that they take, in bytes. */
  readonly held_bytes: number;
}

// A wrong date, such as a year 0202, must not make a chart of thousands of months: the span has at most this many months
// before and after the month of `as_of`. The other months are in `earlier` and `later`.
const MONTHS_BEFORE = 59;
const MONTHS_AFTER = 12;

export const NONE: CostAndCash = { cost_cents: cents(0n), cash_value_cents: cash(0n) };

/** The amounts by month; null is for entries without a month. */
type Months = ReadonlyMap<Day | null, CostAndCash>;

/** More months than a calendar of four-digit years has. */
const MAX_MONTHS = 120_001;
/** A month of an initiative: two sums and the number of the month. */
const MONTH_BYTES = 20;
/** An initiative: its id, its number and where its months begin. */
const INITIATIVE_BYTES = 100;

/**
 * Starts empty. Memory grows with initiatives × months, not with entries. An entry makes no object: a large account has
 * hundreds of thousands. The sums of ten thousand initiatives over five years take 13 MB.
 */
export function openMonthFold(): MonthFold {
  const initiatives = new Map<bigint, number>();
  const months = new Map<Day | null, number>();
  /** Where the sums of an initiative and month are. */
  const indexes = new Map<number, number>();
  const cost: bigint[] = [];
  const value: bigint[] = [];

  function indexOf({ initiative_id, month }: MonthEntry): number {
    const key = numberIn(initiatives, initiative_id) * MAX_MONTHS + numberIn(months, month);
    const index = numberIn(indexes, key);
    if (index === cost.length) {
      cost.push(0n);
      value.push(0n);
    }
    return index;
  }

  return {
    addCost(entry) {
      const index = indexOf(entry);
      cost[index] = (cost[index] ?? 0n) + (entry.usd_amount_cents ?? 0n);
    },
    addValue(entry, entry_type) {
      const index = indexOf(entry);
      if (entry_type === 'capacity') return;
      value[index] = (value[index] ?? 0n) + (entry.usd_amount_cents ?? 0n);
    },
    close() {
      const starts = new Uint32Array(initiatives.size + 1);
      for (const key of indexes.keys()) starts[initiativeOf(key)] = (starts[initiativeOf(key)] ?? 0) + 1;
      let begin = 0;
      for (const [number, count] of starts.entries()) {
        starts[number] = begin;
        begin += count;
      }
      const next = starts.slice();
      const order = new Uint32Array(cost.length);
      const month = new Uint32Array(cost.length);
      for (const [key, index] of indexes) {
        const at = next[initiativeOf(key)] ?? 0;
        next[initiativeOf(key)] = at + 1;
        order[at] = index;
        month[at] = key % MAX_MONTHS;
      }
      return sumsOf({
        initiatives,
        starts,
        month,
        months: [...months.keys()],
        cost: packed(cost, order),
        value: packed(value, order),
      });
    },
  };
}

function initiativeOf(key: number): number {
  return Math.floor(key / MAX_MONTHS);
}

/** The sums of one initiative after the other, in a few arrays. */
interface Held {
  readonly initiatives: ReadonlyMap<bigint, number>;
  /** Where the months of an initiative begin, by its number, and the end of the last. */
  readonly starts: Uint32Array;
  /** The number of the month at each index. */
  readonly month: Uint32Array;
  /** The months by number. */
  readonly months: readonly (Day | null)[];
  readonly cost: Amounts;
  readonly value: Amounts;
}

type Amounts = BigInt64Array | readonly bigint[];

/** The amounts in this order: in eight bytes each, if that holds all of them. */
function packed(amounts: readonly bigint[], order: Uint32Array): Amounts {
  const held = new BigInt64Array(amounts.length);
  for (const [at, index] of order.entries()) {
    const amount = amounts[index] ?? 0n;
    held[at] = amount;
    if (held[at] !== amount) return Array.from(order, (each) => amounts[each] ?? 0n);
  }
  return held;
}

function sumsOf({ initiatives, starts, month, months, cost, value }: Held): MonthSums {
  function between(first: number, end: number): Months {
    const found = new Map<Day | null, CostAndCash>();
    for (let index = first; index < end; index += 1) {
      const day = months[month[index] ?? 0] ?? null;
      const own = { cost_cents: cents(cost[index] ?? 0n), cash_value_cents: cash(value[index] ?? 0n) };
      found.set(day, plus(found.get(day) ?? NONE, own));
    }
    return found;
  }
  const all = between(0, month.length);
  const dated = months.filter((each) => each !== null).toSorted();
  const [first, last] = [dated[0], dated.at(-1)];
  return {
    span(as_of) {
      if (first === undefined || last === undefined) return null;
      const here = monthNumber(as_of);
      return {
        first: monthAt(Math.min(here, Math.max(monthNumber(first), here - MONTHS_BEFORE))),
        last: monthAt(Math.max(here, Math.min(monthNumber(last), here + MONTHS_AFTER))),
      };
    },
    portfolio: (span) => seriesOf(all, span),
    initiative(id, span) {
      const number = initiatives.get(id);
      const [start, end] = number === undefined ? [0, 0] : [starts[number] ?? 0, starts[number + 1] ?? 0];
      return seriesOf(between(start, end), span);
    },
    held_bytes: MONTH_BYTES * month.length + INITIATIVE_BYTES * (1 + initiatives.size),
  };
}

/** The number of a value; values are numbered in the order of their first use. */
function numberIn<Value>(numbers: Map<Value, number>, value: Value): number {
  const known = numbers.get(value);
  if (known !== undefined) return known;
  numbers.set(value, numbers.size);
  return numbers.size - 1;
}

function plus(a: CostAndCash, b: CostAndCash): CostAndCash {
  return {
    cost_cents: add(a.cost_cents, b.cost_cents),
    cash_value_cents: add(a.cash_value_cents, b.cash_value_cents),
  };
}

function seriesOf(amounts: Months, { first, last }: MonthSpan): MonthSeries {
  let [earlier, later] = [NONE, NONE];
  for (const [month, own] of amounts) {
    if (month !== null && month < first) earlier = plus(earlier, own);
    if (month !== null && month > last) later = plus(later, own);
  }
  let cumulative_cash_cents = earlier.cash_value_cents;
  let cumulative_net_cents = netOf(earlier.cash_value_cents, earlier.cost_cents);
  const months: MonthFigures[] = [];
  for (let month = first; month <= last; month = addMonths(month, 1)) {
    const { cost_cents, cash_value_cents } = amounts.get(month) ?? NONE;
    const net_value_cents = netOf(cash_value_cents, cost_cents);
    cumulative_cash_cents = add(cumulative_cash_cents, cash_value_cents);
    cumulative_net_cents = add(cumulative_net_cents, net_value_cents);
    months.push({
      cost_cents,
      cash_value_cents,
      month,
      net_value_cents,
      cumulative_cash_cents,
      cumulative_net_cents,
    });
  }
  return { months, earlier, later, undated: amounts.get(null) ?? NONE };
}
