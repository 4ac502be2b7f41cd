/** The windows one asks `/roi` and the assistant for: they end today, so their days move daily. */
import { addDays, laterOf, yearsBefore } from './calendar.ts';
import type { Day } from './calendar.ts';

/** Each window a caller may ask for, with its display name and its length; all time has none. */
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
  /** First day covered; null for all time, which also holds what has no date. */
  readonly from: Day | null;
  /** Last day covered. */
  readonly through: Day;
}

/**
 * The window of a key on a day. `latestDay` is the day on which the latest-dated entry in scope begins: all time
 * reaches that far, because it is not a to-date figure; the others end today.
 */
export function trailingWindow(key: TrailingKey, today: Day, latestDay: Day | null): TrailingWindow {
  const { label, years } = TRAILING_WINDOWS[key];
  if (years === null) return { key, label, from: null, through: laterOf(today, latestDay) };
  // The day after, so that twelve months do not hold the same day of the year twice.
  return { key, label, from: addDays(yearsBefore(today, years), 1), through: today };
}
