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
  /** Adds an approved value entry. An entry of freed capacity is ignored, because it is not cash. */
  addValue(entry: MonthEntry, entry_type: string): void;
  /** The months to show around the day `as_of`; null if no entry has a date. */
  span(as_of: Day): MonthSpan | null;
  portfolio(span: MonthSpan): MonthSeries;
  /** An initiative; all zero if it has no entry. */
  initiative(id: bigint, span: MonthSpan): MonthSeries;
  /** The number of months with an entry, over all initiatives. */
  size(): number;
}

// A wrong date, such as a year 0202, must not make a chart of thousands of months: the span has at most this many months
// before and after the month of `as_of`. The other months are in `earlier` and `later`.
const MONTHS_BEFORE = 59;
const MONTHS_AFTER = 12;

const NONE: CostAndCash = { cost_cents: cents(0n), cash_value_cents: cash(0n) };

/** The amounts of one month, to which entries are added in place. */
interface Amounts {
  cost_cents: Cents;
  cash_value_cents: CashCents;
}

/** The amounts by month; null is for entries without a month. */
type Months = Map<Day | null, Amounts>;

/**
 * Starts empty. Memory grows with initiatives × months, not with entries. An entry makes no object: a large account has
 * hundreds of thousands.
 */
export function openMonthFold(): MonthFold {
  const initiatives = new Map<bigint, Months>();
  let size = 0;
  /** The sums over all initiatives; null until they are asked for after an entry. */
  let whole: Months | null = null;

  function amountsOf({ initiative_id, month }: MonthEntry): Amounts {
    whole = null;
    let months = initiatives.get(initiative_id);
    if (months === undefined) initiatives.set(initiative_id, (months = new Map()));
    let amounts = months.get(month);
    if (amounts === undefined) {
      months.set(month, (amounts = { ...NONE }));
      if (month !== null) size += 1;
    }
    return amounts;
  }

  const wholeNow = (): Months => (whole ??= sumOf(initiatives.values()));

  return {
    addCost(entry) {
      const amounts = amountsOf(entry);
      amounts.cost_cents = add(amounts.cost_cents, cents(entry.usd_amount_cents ?? 0n));
    },
    addValue(entry, entry_type) {
      if (entry_type === 'capacity') return;
      const amounts = amountsOf(entry);
      amounts.cash_value_cents = add(amounts.cash_value_cents, cash(entry.usd_amount_cents ?? 0n));
    },
    span(as_of) {
      const dated = [...wholeNow().keys()].filter((month) => month !== null).toSorted();
      const [first, last] = [dated[0], dated.at(-1)];
      if (first === undefined || last === undefined) return null;
      const here = monthNumber(as_of);
      return {
        first: monthAt(Math.min(here, Math.max(monthNumber(first), here - MONTHS_BEFORE))),
        last: monthAt(Math.max(here, Math.min(monthNumber(last), here + MONTHS_AFTER))),
      };
    },
    portfolio: (span) => seriesOf(wholeNow(), span),
    initiative: (id, span) => seriesOf(initiatives.get(id) ?? new Map(), span),
    size: () => size,
  };
}

function sumOf(each: Iterable<Months>): Months {
  const whole: Months = new Map();
  for (const months of each) {
    for (const [month, amounts] of months) whole.set(month, plus(whole.get(month) ?? NONE, amounts));
  }
  return whole;
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
