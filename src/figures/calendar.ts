/**
 * The calendar of all figures: proleptic Gregorian, in UTC, exact, on strings. Nothing here reads the clock.
 */

/**
 * A UTC day, `YYYY-MM-DD`, of the years 0001 to 9998. With four-digit years, text order is time order. Year 9999 is
 * excluded, so that the end of a fiscal year that begins in 9998 has four digits too.
 */
export type Day = string;

const MICROSECONDS_PER_DAY = 86_400_000_000n;
/** The Gregorian calendar repeats itself after 400 years. */
const DAYS_PER_400_YEARS = 146_097;
/** Days from 0000-03-01 through 1970-01-01, so that day 0 is the epoch of Unix. */
const DAYS_BEFORE_1970 = 719_468;

/** The first day of the month that contains a day. */
export function firstOfMonth(day: Day): Day {
  return `${day.slice(0, 8)}01`;
}

/** The last day of the month that contains a day. */
export function lastOfMonth(day: Day): Day {
  // December is computed without the next month. A request may name December 9999, and year 10000 has five digits.
  return day.slice(5, 7) === '12' ? `${day.slice(0, 8)}31` : addDays(addMonths(day, 1), -1);
}

/** The first day of the month that lies `months` after (negative: before) the month of a day. */
export function addMonths(day: Day, months: number): Day {
  return monthAt(monthNumber(day) + months);
}

/** The number of a month, for subtracting and comparing months; `monthAt` is the inverse. */
export function monthNumber(day: Day): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
}

/** The first day of the month with that `monthNumber`. */
export function monthAt(number: number): Day {
  return format(Math.floor(number / 12), (number % 12) + 1, 1);
}

/** The day that lies `days` after (negative: before) a day. */
export function addDays(day: Day, days: number): Day {
  return dayAt(dayNumber(day) + days);
}

/** The same day of the year `years` earlier; 29 February becomes 28 February where the year has none. */
export function yearsBefore(day: Day, years: number): Day {
  const sameMonth = addMonths(day, -12 * years);
  const last = lastOfMonth(sameMonth);
  const same = sameMonth.slice(0, 8) + day.slice(8);
  return same < last ? same : last;
}

/** The UTC day of an instant given in microseconds since 1970. */
export function utcDay(microseconds: bigint): Day {
  const rest = microseconds % MICROSECONDS_PER_DAY;
  // BigInt division rounds towards zero, but an instant before 1970 needs rounding down.
  const days = microseconds / MICROSECONDS_PER_DAY - (rest < 0n ? 1n : 0n);
  return dayAt(Number(days));
}

/** The later of two days; null counts as earlier than any day. */
export function laterOf(a: Day, b: Day | null): Day {
  return b !== null && b > a ? b : a;
}

/** Days since 1970-01-01. Years are counted from March, so that the leap day is the last of its year. */
function dayNumber(day: Day): number {
  const month = Number(day.slice(5, 7));
  const year = Number(day.slice(0, 4)) - (month <= 2 ? 1 : 0);
  const monthFromMarch = (month + 9) % 12;
  const dayOfYear = Math.floor((153 * monthFromMarch + 2) / 5) + Number(day.slice(8)) - 1;
  const leapDays = Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400);
  return year * 365 + leapDays + dayOfYear - DAYS_BEFORE_1970;
}

/** The inverse of `dayNumber`. */
function dayAt(number: number): Day {
  const shifted = number + DAYS_BEFORE_1970;
  const era = Math.floor(shifted / DAYS_PER_400_YEARS);
  const dayOfEra = shifted - era * DAYS_PER_400_YEARS;
  // Subtract the leap days so far: one every four years, none at the end of a century, one at the end of the 400 years.
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = ((monthFromMarch + 2) % 12) + 1;
  const year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0);
  return format(year, month, dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1);
}

function format(year: number, month: number, day: number): Day {
  return `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`;
}

/** A number below 100 as two digits. */
export function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}
