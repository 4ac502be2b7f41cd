/** Instants as text: RFC 3339 in UTC, always with six digits, so that text order is time order. */
import { twoDigits, utcDay } from './figures/calendar.ts';

declare const unit: unique symbol;

/** A moment in UTC, in microseconds since 1970. Text is parsed once, where it enters the program. */
export type Instant = bigint & { readonly [unit]: 'microseconds since 1970' };

/** Marks a bigint as microseconds since 1970. */
export const instant = (microseconds: bigint): Instant => microseconds as Instant;

const INSTANT = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d):(\d\d)\.(\d{6})Z$/;
const MICROSECONDS_PER_SECOND = 1_000_000n;
const MICROSECONDS_PER_DAY = 86_400n * MICROSECONDS_PER_SECOND;

/** The text of an instant given in microseconds since 1970. */
export function formatInstant(microseconds: bigint): string {
  // The time of day is a safe integer. Pages format thousands of instants: numbers take half the time of bigints.
  const rest = Number(microseconds % MICROSECONDS_PER_DAY);
  const ofDay = rest < 0 ? rest + Number(MICROSECONDS_PER_DAY) : rest;
  const seconds = Math.floor(ofDay / 1e6);
  const minutes = Math.floor(seconds / 60);
  const time = `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`;
  return `${utcDay(microseconds)}T${time}.${String(1e6 + (ofDay % 1e6)).slice(1)}Z`;
}

/** Parses a text as `formatInstant` writes it; null for any other form, or for a date that does not exist. */
export function parseInstant(text: string): Instant | null {
  const [, day, hours, minutes, seconds, fraction] = INSTANT.exec(text) ?? [];
  if (day === undefined) return null;
  // Date.parse reads only the day; the rest is integer arithmetic, without time zones and fractions.
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight)) return null;
  const ofDay = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  const microseconds =
    (BigInt(midnight / 1000) + BigInt(ofDay)) * MICROSECONDS_PER_SECOND + BigInt(fraction ?? 0);
  // Formatting again finds dates such as 30 February, and hour 24.
  return formatInstant(microseconds) === text ? instant(microseconds) : null;
}
