/** The times of a bill, and the month that it belongs to. */
import { remembered } from './remembered.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The lengths of months. One in which clocks go back has an hour more. */
const SHORTEST_MONTH = 28 * DAY;
const LONGEST_MONTH = 31 * DAY;
const TIME =
  /^(?<day>\d{4}-\d{2}-\d{2})(?:[T ](?<minute>\d{2}:\d{2})(?::(?<second>\d{2}(?:\.\d{1,9})?))?(?: ?(?:Z|UTC|\+00(?::?00)?))?)?$/;
/** The years of the ledger's months. */
const FIRST_YEAR = '1990';
const LAST_YEAR = '2199';
/** A file of a million charges has few different times. */
const MAX_CACHED_TIMES = 10_000;

/** What was expected of a text or a period that cannot be used. */
interface Expected {
  readonly expected: string;
}

/** The milliseconds since 1970 of a time in UTC; a text without a zone is in UTC, as FOCUS has it. */
function timeOf(text: string): number | Expected {
  const { day, minute = '00:00', second = '00' } = TIME.exec(text)?.groups ?? {};
  if (day === undefined) return { expected: 'a UTC date and time, such as 2026-10-01T00:00:00Z' };
  const time = Date.parse(`${day}T${minute}:${second}Z`);
  // The hour 24 is the next day, and 30 February another month.
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day)
    return { expected: 'a day and a time that exist, such as 2026-10-01T00:00:00Z' };
  if (day.slice(0, 4) < FIRST_YEAR || day.slice(0, 4) > LAST_YEAR)
    return { expected: `a day of the years ${FIRST_YEAR} to ${LAST_YEAR}` };
  return time;
}

/** `timeOf`, which remembers the texts that it has read. */
export function timeReader(): (text: string) => number | Expected {
  return remembered(timeOf, MAX_CACHED_TIMES);
}

/**
 * The month of a bill, as `YYYY-MM`. A period of a month's length that does not begin at midnight UTC on the first is a month
 * by another clock: it counts for the month of its middle. Any other period lies within one month.
 */
function billedMonth(start: number, end: number): string | Expected {
  if (end < start) return { expected: 'a billing period that does not end before it starts' };
  const first = monthOf(start);
  const last = monthOf(Math.max(start, end - 1));
  if (first === last) return first;
  const length = end - start;
  const isMonth = length >= SHORTEST_MONTH && (length <= LONGEST_MONTH || length === LONGEST_MONTH + HOUR);
  if (isMonth && start !== Date.parse(`${first}-01`)) return monthOf(start + length / 2);
  return {
    expected: `a billing period within one month, or of 28 to 31 days by another clock; this one is from ${first} to ${last}`,
  };
}

/** `billedMonth`, which remembers the periods that it has read. */
export function monthReader(): (start: number, end: number) => string | Expected {
  const read = new Map<number, Map<number, string | Expected>>();
  let size = 0;
  return (start, end) => {
    const known = read.get(start)?.get(end);
    if (known !== undefined) return known;
    if (size === MAX_CACHED_TIMES) read.clear();
    size = size === MAX_CACHED_TIMES ? 1 : size + 1;
    const month = billedMonth(start, end);
    read.set(start, (read.get(start) ?? new Map<number, string | Expected>()).set(end, month));
    return month;
  };
}

function monthOf(time: number): string {
  return new Date(time).toISOString().slice(0, 7);
}
