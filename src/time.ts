/** Instants as text: RFC 3339 in UTC, always with six digits, so that text order is time order. */
import { utcDay } from './figures/calendar.ts';

declare const unit: unique symbol;

/** A moment in UTC: microseconds since 1970. Made where it enters, so that no text of one is read a second time. */
export type Instant = bigint & { readonly [unit]: 'microseconds since 1970' };

/** Says of a bigint that it counts microseconds since 1970, as those of clocks and of the database do. */
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

/** The instant of such a text in microseconds since 1970; null unless it is written exactly so and exists. */
export function parseInstant(text: string): Instant | null {
  const [, day, hours, minutes, seconds, fraction] = INSTANT.exec(text) ?? [];
  if (day === undefined) return null;
  // Arithmetic on whole days only: no `Date` object, no time zone, no fraction passes through it.
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight)) return null;
  const ofDay = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  const microseconds =
    (BigInt(midnight / 1000) + BigInt(ofDay)) * MICROSECONDS_PER_SECOND + BigInt(fraction ?? 0);
  // The way back finds 30 February, hour 24 and the like.
  return formatInstant(microseconds) === text ? instant(microseconds) : null;
}

function modulo(value: bigint, by: bigint): bigint {
  return ((value % by) + by) % by;
}

function pad(value: bigint, digits: number): string {
  return String(value).padStart(digits, '0');
}
