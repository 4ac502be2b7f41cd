/** Instants, ages, sizes and counts as a person reads them. */
import { type Instant, SECOND } from './instant.ts';
import { formatInstant } from './time.ts';

export const BYTES_PER_MEGABYTE = 1_000_000;
const COUNT = new Intl.NumberFormat('en-US');

/** The seconds and names of each unit. A unit is used for an age of at least two units: "47 h" is more exact than "1 d". */
const UNITS = [
  { seconds: 86_400n, short: 'd', long: 'days' },
  { seconds: 3_600n, short: 'h', long: 'hours' },
  { seconds: 60n, short: 'min', long: 'minutes' },
] as const;
const SHORTEST = { seconds: 1n, short: 's', long: 'seconds' } as const;
/** An instant, to the minute: `2026-07-15 02:00 UTC`. */
export function shownInstant(instant: Instant): string {
  return `${formatInstant(instant).slice(0, 16).replace('T', ' ')} UTC`;
}

/** The age of an instant: `47 h`, or `47 hours`; `0 s` for an instant that is in the future by a slow clock. */
export function shownAge(instant: Instant, now: Instant, names: 'short' | 'long' = 'short'): string {
  const age = (now - instant) / SECOND;
  const unit = UNITS.find(({ seconds }) => age >= 2n * seconds) ?? SHORTEST;
  return `${age < 0n ? 0n : age / unit.seconds} ${unit[names]}`;
}

/** Bytes as megabytes: `12.3 MB`, or with more decimals. */
export function shownMegabytes(bytes: number, decimals = 1): string {
  return `${(bytes / BYTES_PER_MEGABYTE).toFixed(decimals)} MB`;
}

/** Bytes in a fitting unit: `13 kB`, `12.3 MB`; never `0 kB` for a file with bytes. */
export function shownSize(bytes: number): string {
  if (bytes < BYTES_PER_MEGABYTE / 10) return `${shownCount(Math.ceil(bytes / 1_000))} kB`;
  return `${shownCount(Math.round((bytes / BYTES_PER_MEGABYTE) * 10) / 10)} MB`;
}

/** How long something took: `12 ms`, `1.23 s`. */
export function shownDuration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(2)} s`;
}

/** Rows a second: `12,345 rows/s`. */
export function shownRate(rows: number, ms: number): string {
  return `${shownCount(Math.round((rows * 1_000) / Math.max(ms, 1)))} rows/s`;
}

/** A count with thousands separators: `1,234,567`. */
export function shownCount(count: number | bigint): string {
  return COUNT.format(count);
}

/** A number of things: `1 row`, `2 rows`. */
export function shownCountOf(count: number | bigint, one: string, many = `${one}s`): string {
  return `${shownCount(count)} ${Number(count) === 1 ? one : many}`;
}

/** A number of cents as text in its currency, such as `12.50`; without separators between thousands. */
export function shownCents(cents: bigint): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Text written by a person. Adds a full stop if none ends it, because another sentence follows. */
export function shownSentence(text: string): string {
  return /[.!?…]\s*$/u.test(text) ? text : `${text.trimEnd()}.`;
}

/** Signs that steer a terminal, begin a line or change the direction of a text; a line may hold tabs. */
const STEERING = /[^\P{Cc}\t]|[\p{Cs}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/**
 * The text as one line, with each sign that steers a terminal as an escape of JSON, such as `\u001b` or `\n`: names and files
 * may have them, and no name may make a line of its own.
 */
export function printable(text: string): string {
  return text.replaceAll(STEERING, (sign) =>
    sign === '\n' ? String.raw`\n` : `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The part of `JSON` that TypeScript does not declare yet: a number that is printed with the digits of its text. */
export const RAW_JSON = JSON as unknown as {
  rawJSON(text: string): { readonly rawJSON: string };
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
};
