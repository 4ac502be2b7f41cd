/** Instants as text: RFC 3339 in UTC, always with six digits, so that text order is time order. */
import { twoDigits, utcDay } from './figures/calendar.ts';
import { DAY, fromMs, type Instant, SECOND } from './instant.ts';

const INSTANT = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d):(\d\d)\.(\d{6})Z$/;
const DAY_IN_MICROSECONDS = Number(DAY);

/** The text of an instant. */
export function formatInstant(moment: Instant): string {
  // The time of day is a safe integer. Pages format thousands of instants: numbers take half the time of bigints.
  const rest = Number(moment % DAY);
  const ofDay = rest < 0 ? rest + DAY_IN_MICROSECONDS : rest;
  const seconds = Math.floor(ofDay / 1e6);
  const minutes = Math.floor(seconds / 60);
  const time = `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`;
  return `${utcDay(moment)}T${time}.${String(1e6 + (ofDay % 1e6)).slice(1)}Z`;
}

/** Parses a text as `formatInstant` writes it; null for any other form, or for a date that does not exist. */
export function parseInstant(text: string): Instant | null {
  const [, day, hours, minutes, seconds, fraction] = INSTANT.exec(text) ?? [];
  if (day === undefined) return null;
  // Date.parse reads only the day; the rest is integer arithmetic, without time zones and fractions.
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight)) return null;
  const ofDay = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  const moment = fromMs(midnight) + BigInt(ofDay) * SECOND + BigInt(fraction ?? 0);
  // Formatting again finds dates such as 30 February, and hour 24.
  return formatInstant(moment) === text ? moment : null;
}
