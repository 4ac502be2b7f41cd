/** The windows of `reported_totals`: all time, and every fiscal year and quarter since the scope's first entry. */
import { lastOfMonth, laterOf, monthAt, monthNumber } from './calendar.ts';
import type { Day } from './calendar.ts';

export interface Window {
  readonly window_kind: 'all_time' | 'fiscal_quarter' | 'fiscal_year';
  readonly window_key: string;
  readonly window_label: string;
  /** Null for all time. */
  readonly from_date: Day | null;
  readonly through_date: Day;
  /** True if the window's last day is before `as_of`; never true for all time. */
  readonly window_complete: boolean;
}

/** A window with a first day. It has whole months, so sums by month are enough to compute it. */
export interface FiscalWindow extends Window {
  readonly from_date: Day;
}

/** The inputs of windows besides the entries. */
export interface FiscalMoment {
  /**
   * The day that the figures describe. To-date figures end here; entries of later days count in the windows of their days.
   */
  readonly as_of: Day;
  /** 1 to 12. */
  readonly fiscal_year_start_month: number;
}

/** All time: through `as_of`, or through the day on which the latest entry in scope begins, if that is later. */
export function allTime(moment: FiscalMoment, latestDay: Day | null): Window {
  return {
    window_kind: 'all_time',
    window_key: 'all',
    window_label: 'All time',
    from_date: null,
    through_date: laterOf(moment.as_of, latestDay),
    window_complete: false,
  };
}

/**
 * Every fiscal year and quarter, without gaps, from the first dated entry through `as_of` or the last dated entry,
 * whichever is later. In the order of their keys: a year, then its quarters.
 */
export function* fiscalWindows(moment: FiscalMoment, firstDay: Day, lastDay: Day): Generator<FiscalWindow> {
  const first = quarterNumber(moment, firstDay);
  const last = quarterNumber(moment, laterOf(moment.as_of, lastDay));
  for (let quarter = first; quarter <= last; quarter++) {
    if (quarter === first || quarter % 4 === 0) yield yearWindow(moment, Math.floor(quarter / 4));
    yield quarterWindow(moment, quarter);
  }
}

/** The window of a fiscal year, by its name, or of one of its quarters, 1 to 4. */
export function fiscalWindow(
  moment: FiscalMoment,
  { year: name, quarter }: { readonly year: number; readonly quarter: number | null },
): FiscalWindow {
  const year = name - nameAhead(moment);
  return quarter === null ? yearWindow(moment, year) : quarterWindow(moment, year * 4 + quarter - 1);
}

/** The fiscal quarter and year that the day described is in, and the ones before them. */
export function nearbyWindows(
  moment: FiscalMoment,
): Record<'quarter' | 'lastQuarter' | 'year' | 'lastYear', FiscalWindow> {
  const quarter = quarterNumber(moment, moment.as_of);
  const year = Math.floor(quarter / 4);
  return {
    quarter: quarterWindow(moment, quarter),
    lastQuarter: quarterWindow(moment, quarter - 1),
    year: yearWindow(moment, year),
    lastYear: yearWindow(moment, year - 1),
  };
}

/** The number of a fiscal quarter, counted without gaps; `quarter / 4` is the number of its fiscal year. */
function quarterNumber({ fiscal_year_start_month }: FiscalMoment, day: Day): number {
  return Math.floor((monthNumber(day) - (fiscal_year_start_month - 1)) / 3);
}

function yearWindow(moment: FiscalMoment, year: number): FiscalWindow {
  const name = yearName(moment, year);
  return {
    window_kind: 'fiscal_year',
    window_key: `fy${name}`,
    window_label: `FY${name}`,
    ...span(moment, year * 12, 12),
  };
}

function quarterWindow(moment: FiscalMoment, quarter: number): FiscalWindow {
  const name = yearName(moment, Math.floor(quarter / 4));
  const ordinal = (quarter % 4) + 1;
  return {
    window_kind: 'fiscal_quarter',
    window_key: `fy${name}-q${ordinal}`,
    window_label: `FY${name} Q${ordinal}`,
    ...span(moment, quarter * 3, 3),
  };
}

function yearName(moment: FiscalMoment, year: number): number {
  return year + nameAhead(moment);
}

/** A fiscal year is named after the calendar year in which it ends. */
function nameAhead({ fiscal_year_start_month }: FiscalMoment): 0 | 1 {
  return fiscal_year_start_month === 1 ? 0 : 1;
}

function span(
  { as_of, fiscal_year_start_month }: FiscalMoment,
  fiscalMonth: number,
  months: number,
): Pick<FiscalWindow, 'from_date' | 'through_date' | 'window_complete'> {
  const first = fiscalMonth + fiscal_year_start_month - 1;
  const through_date = lastOfMonth(monthAt(first + months - 1));
  return { from_date: monthAt(first), through_date, window_complete: through_date < as_of };
}
