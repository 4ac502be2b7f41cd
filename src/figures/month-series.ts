/** Cost and cash value month by month, with the running sum of net value, for the portfolio and for each initiative. */
import type { Day } from './calendar.ts';
import { addMonths, monthAt, monthNumber } from './calendar.ts';
import { add, cash, cents, netOf } from './cents.ts';
import type { CashCents, Cents } from './cents.ts';
import { monthlySums } from './monthly-sums.ts';
import type { MonthlySums } from './monthly-sums.ts';

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
  /** The number of sums that the fold holds. */
  size(): number;
}

// A wrong date, such as a year 0202, must not make a chart of thousands of months: the span has at most this many months
// before and after the month of `as_of`. The other months are in `earlier` and `later`.
const MONTHS_BEFORE = 59;
const MONTHS_AFTER = 12;

const NONE: CostAndCash = { cost_cents: cents(0n), cash_value_cents: cash(0n) };

/** Starts empty. Memory grows with initiatives × months, not with entries. */
export function openMonthFold(): MonthFold {
  const portfolio = openSums();
  const initiatives = new Map<bigint, MonthlySums<CostAndCash>>();
  let size = 0;

  function put({ initiative_id, month }: MonthEntry, amount: CostAndCash): void {
    let own = initiatives.get(initiative_id);
    if (own === undefined) initiatives.set(initiative_id, (own = openSums()));
    portfolio.put(month, amount);
    size -= own.size();
    own.put(month, amount);
    size += own.size();
  }

  return {
    addCost(entry) {
      put(entry, { ...NONE, cost_cents: cents(entry.usd_amount_cents ?? 0n) });
    },
    addValue(entry, entry_type) {
      if (entry_type === 'capacity') return;
      put(entry, { ...NONE, cash_value_cents: cash(entry.usd_amount_cents ?? 0n) });
    },
    span(as_of) {
      const extent = portfolio.extent();
      if (extent === null) return null;
      const here = monthNumber(as_of);
      return {
        first: monthAt(Math.min(here, Math.max(monthNumber(extent.first), here - MONTHS_BEFORE))),
        last: monthAt(Math.max(here, Math.min(monthNumber(extent.last), here + MONTHS_AFTER))),
      };
    },
    portfolio: (span) => seriesOf(portfolio, span),
    initiative: (id, span) => seriesOf(initiatives.get(id) ?? openSums(), span),
    size: () => size,
  };
}

function openSums(): MonthlySums<CostAndCash> {
  return monthlySums(NONE, (a, b) => ({
    cost_cents: add(a.cost_cents, b.cost_cents),
    cash_value_cents: add(a.cash_value_cents, b.cash_value_cents),
  }));
}

function seriesOf(sums: MonthlySums<CostAndCash>, { first, last }: MonthSpan): MonthSeries {
  const extent = sums.extent() ?? { first, last };
  const earlier = sums.between(extent.first, addMonths(first, -1));
  let cumulative_cash_cents = earlier.cash_value_cents;
  let cumulative_net_cents = netOf(earlier.cash_value_cents, earlier.cost_cents);
  const months: MonthFigures[] = [];
  for (let month = first; month <= last; month = addMonths(month, 1)) {
    const own = sums.between(month, month);
    const net_value_cents = netOf(own.cash_value_cents, own.cost_cents);
    cumulative_cash_cents = add(cumulative_cash_cents, own.cash_value_cents);
    cumulative_net_cents = add(cumulative_net_cents, net_value_cents);
    months.push({ ...own, month, net_value_cents, cumulative_cash_cents, cumulative_net_cents });
  }
  return {
    months,
    earlier,
    later: sums.between(addMonths(last, 1), extent.last),
    undated: sums.undated(),
  };
}
