/**
 * The windows that a caller may request: how each is written, and which days it covers. Live figures and snapshots share
 * this.
 */
import { lastOfMonth, laterOf, monthNumber } from './calendar.ts';
import type { Day } from './calendar.ts';
import { TRAILING_WINDOWS, type TrailingKey, trailingWindow } from './trailing.ts';
import { type FiscalMoment, fiscalWindow } from './windows.ts';

/** A parsed window; its days follow from the account's fiscal year and from the day that the figures describe. */
export type WindowRequest =
  | { readonly kind: 'trailing'; readonly key: TrailingKey }
  /** The name of a fiscal year, and one of its quarters, 1 to 4; null is the whole year. */
  | { readonly kind: 'fiscal'; readonly year: number; readonly quarter: number | null }
  /** First days of the first and the last month; null: no bound on that side. */
  | { readonly kind: 'months'; readonly from: Day | null; readonly through: Day | null };

/** A window of a request, with its days. */
export interface RequestedWindow {
  /** The `period.window` of an answer. */
  readonly key: string;
  readonly label: string;
  /** First day covered; null without a first day. */
  readonly from: Day | null;
  /** Last day covered. */
  readonly through: Day;
}

/** The parameters of a request that choose the window. */
export interface WindowParameters {
  readonly window?: WindowRequest | undefined;
  readonly from?: Day | undefined;
  readonly through?: Day | undefined;
}

/** Every accepted window, as a regular expression of JSON Schema. */
export const WINDOW_PATTERN = '^(1yr|3yr|5yr|all|fy[1-9]\\d{0,3}(-q[1-4])?)$';
/** The windows of answers: those of requests, and `custom` for a range of months. */
export const ANSWERED_WINDOW_PATTERN = WINDOW_PATTERN.replace('all|', 'all|custom|');
export const MONTH_PATTERN = '^\\d{4}-(0[1-9]|1[0-2])$';

/** The accepted forms, for a refusal that begins with "must be". */
export const WINDOW_FORMS =
  'one of 1yr, 3yr, 5yr, all, a fiscal year such as fy2026, or a fiscal quarter such as fy2026-q3';
export const MONTH_FORM = 'a month such as 2026-01';

const FISCAL = /^fy([1-9]\d{0,3})(?:-q([1-4]))?$/;
const MONTH = new RegExp(MONTH_PATTERN);

// Outside the years of any entry. PostgreSQL has no year 0, in which fy1 may begin.
const FIRST_DAY: Day = '0001-01-01';
const LAST_DAY: Day = '9999-12-31';
/** The days of a window that ends before the year 1: none. */
const NO_DAYS = { from: LAST_DAY, through: FIRST_DAY } as const;

/** Parses a window; null for a malformed text. A fiscal year without entries is well-formed. */
export function parseWindow(text: string): WindowRequest | null {
  if (isTrailing(text)) return { kind: 'trailing', key: text };
  const [, year, quarter] = FISCAL.exec(text) ?? [];
  if (year === undefined) return null;
  return { kind: 'fiscal', year: Number(year), quarter: quarter === undefined ? null : Number(quarter) };
}

/** The first day of a month written as `YYYY-MM`; null for any other text. */
export function parseMonth(text: string): Day | null {
  return MONTH.test(text) && !text.startsWith('0000') ? `${text}-01` : null;
}

/**
 * The requested window, all time if no parameter was sent. If the parameters contradict each other, a sentence that says
 * so.
 */
export function requestedWindow({ window, from, through }: WindowParameters): WindowRequest | string {
  if (from === undefined && through === undefined) return window ?? { kind: 'trailing', key: 'all' };
  if (window !== undefined) {
    return 'window excludes from and through: send either window, or from and through.';
  }
  if (from !== undefined && through !== undefined && through < from) {
    return 'The month of through is before the month of from: exchange them.';
  }
  return { kind: 'months', from: from ?? null, through: through ?? null };
}

/**
 * The days of a window. `latestDay` is the day on which the latest entry in scope begins. A window without a last day ends
 * on the later of `latestDay` and `as_of`.
 */
export function windowOf(
  request: WindowRequest,
  moment: FiscalMoment,
  latestDay: Day | null,
): RequestedWindow {
  if (request.kind === 'trailing') return trailingWindow(request.key, moment.as_of, latestDay);
  if (request.kind === 'fiscal') {
    const { window_key, window_label, from_date, through_date } = fiscalWindow(moment, request);
    return { key: window_key, label: window_label, from: from_date, through: through_date };
  }
  const { from, through } = request;
  const last = through ?? laterOf(laterOf(moment.as_of, latestDay), from);
  return { key: 'custom', label: monthsLabel(from, through), from, through: lastOfMonth(last) };
}

/** The first and last day on which a counted entry may begin; null: every entry, also those without a date. */
export function countedDays(
  request: WindowRequest,
  moment: FiscalMoment,
): { readonly from: Day; readonly through: Day } | null {
  const { from, through } = windowOf(request, moment, null);
  if (through < FIRST_DAY) return NO_DAYS;
  if (request.kind !== 'months') return from === null ? null : { from: laterOf(FIRST_DAY, from), through };
  return { from: from ?? FIRST_DAY, through: request.through === null ? LAST_DAY : through };
}

function isTrailing(text: string): text is TrailingKey {
  return Object.hasOwn(TRAILING_WINDOWS, text);
}

function monthsLabel(from: Day | null, through: Day | null): string {
  if (from === through && from !== null) return monthLabel(from);
  if (from === null) return through === null ? 'All months' : `Through ${monthLabel(through)}`;
  return through === null ? `From ${monthLabel(from)}` : `${monthLabel(from)} to ${monthLabel(through)}`;
}

const MONTH_NAMES =
  'January February March April May June July August September October November December'.split(' ');

function monthLabel(month: Day): string {
  return `${MONTH_NAMES[monthNumber(month) % 12]} ${month.slice(0, 4)}`;
}
