/** Instants as text: RFC 3339 in UTC, always with six digits, so that text order is time order. */
import { utcDay } from './figures/calendar.ts';

declare const unit: unique symbol;

/** A moment in UTC, in microseconds since 1970. Text is parsed once, where it enters the program. */
export type Instant = bigint & { readonly [unit]: 'microseconds since 1970' };

/** Marks a bigint as microseconds since 1970. */
export const instant = (microseconds: bigint): Instant => microseconds as Instant;

const INSTANT = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d):(\d\d)\.(\d{6})Z$/;
const MICROSECONDS_PER_SECOND = 1_000_000n;
const SECONDS_PER_DAY = 86_400n;

/** The text of an instant given in microseconds since 1970. */
export function formatInstant(microseconds: bigint): string {
  const ofDay = modulo(microseconds, SECONDS_PER_DAY * MICROSECONDS_PER_SECOND);
  const seconds = ofDay / MICROSECONDS_PER_SECOND;
  const time = [seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n].map((part) => pad(part, 2)).join(':');
  return `${utcDay(microseconds)}T${time}.${pad(ofDay % MICROSECONDS_PER_SECOND, 6)}Z`;
}

/** The instant of such a text in microseconds since 1970; null for any other form, or a date that does not exist. */
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

function modulo(value: bigint, by: bigint): bigint {
  return ((value % by) + by) % by;
}

function pad(value: bigint, digits: number): string {
  return String(value).padStart(digits, '0');
}
