/** The windows of `/roi` and the assistant. They end today, so their days move every day. */
import { addDays, laterOf, yearsBefore } from './calendar.ts';
import type { Day } from './calendar.ts';

/** The windows that a caller may request, each with its display name and length; all time has no length. */
export const TRAILING_WINDOWS = {
  '1yr': { label: 'Last 12 months', years: 1 },
  '3yr': { label: 'Last 3 years', years: 3 },
  '5yr': { label: 'Last 5 years', years: 5 },
  all: { label: 'All time', years: null },
} as const satisfies Record<string, { label: string; years: number | null }>;

export type TrailingKey = keyof typeof TRAILING_WINDOWS;

export interface TrailingWindow {
  readonly key: TrailingKey;
  readonly label: string;
  /** First day covered; null for all time, which also includes entries without a date. */
  readonly from: Day | null;
  /** Last day covered. */
  readonly through: Day;
}

/**
 * The window of a key on a day. `latestDay` is the day on which the latest entry in scope begins. All time ends there if
 * that is later than today, because it is not a to-date figure; the other windows end today.
 */
export function trailingWindow(key: TrailingKey, today: Day, latestDay: Day | null): TrailingWindow {
  const { label, years } = TRAILING_WINDOWS[key];
  if (years === null) return { key, label, from: null, through: laterOf(today, latestDay) };
  // Start one day later, so that twelve months do not include the same day of the year twice.
  return { key, label, from: addDays(yearsBefore(today, years), 1), through: today };
}
