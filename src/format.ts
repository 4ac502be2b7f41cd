/** Instants, ages and sizes as a person reads them on a terminal. */
import { formatInstant } from './time.ts';

const MICROSECONDS_PER_SECOND = 1_000_000n;
const BYTES_PER_MEGABYTE = 1_000_000;

/** The longest unit an age has at least two of, so that "47 h" stays more exact than "1 d". */
const UNITS = [
  ['d', 86_400n],
  ['h', 3_600n],
  ['min', 60n],
] as const;

/** An instant in microseconds since 1970, to the minute: `2026-07-15 02:00 UTC`. */
export function shownInstant(instant: bigint): string {
  return `${formatInstant(instant).slice(0, 16).replace('T', ' ')} UTC`;
}

/** How long ago an instant was: `47 h`; `0 s` for one that a slow clock sees in the future. */
export function shownAge(instant: bigint, now: bigint): string {
  const seconds = (now - instant) / MICROSECONDS_PER_SECOND;
  const [unit, length] = UNITS.find(([, each]) => seconds >= 2n * each) ?? (['s', 1n] as const);
  return `${seconds < 0n ? 0n : seconds / length} ${unit}`;
}

/** Bytes as megabytes with one decimal: `12.3 MB`. */
export function shownMegabytes(bytes: number): string {
  return `${(bytes / BYTES_PER_MEGABYTE).toFixed(1)} MB`;
}

/** A count with its thousands apart: `1,234,567`. */
export function shownCount(count: number): string {
  return count.toLocaleString('en-US');
}
