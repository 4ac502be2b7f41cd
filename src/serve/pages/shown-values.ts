/** Instants, ages, sizes, counts, shares and amounts as a page shows them. */
import { html } from 'hono/html';
import { parseInstant } from '../../time.ts';

const MICROSECONDS_PER_SECOND = 1_000_000n;
const BYTES_PER_MEGABYTE = 1_000_000;
const COUNT = new Intl.NumberFormat('en-US');
const SHARE = new Intl.NumberFormat('en-US', {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** The longest unit an age has at least two of, so that "47 hours" stays more exact than "1 day". */
const UNITS = [
  ['days', 86_400n],
  ['hours', 3_600n],
  ['minutes', 60n],
] as const;

/** An instant of the contract to the minute, in UTC; programs find all of it. */
export function shownMoment(instant: string) {
  return html`<time datetime="${instant}">${instant.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

/** How long before `now` (microseconds since 1970) an instant was. */
export function shownAge(instant: string, now: bigint): string {
  const seconds = (now - (parseInstant(instant) ?? now)) / MICROSECONDS_PER_SECOND;
  const [unit, length] = UNITS.find(([, each]) => seconds >= 2n * each) ?? (['seconds', 1n] as const);
  return `${seconds < 0n ? 0n : seconds / length} ${unit}`;
}

/** A count with its thousands apart. */
export function shownCount(count: number): string {
  return COUNT.format(count);
}

/** How many more or less, with its sign; 0 has none. */
export function shownMore(count: number): string {
  return count > 0 ? `+${COUNT.format(count)}` : COUNT.format(count).replace('-', '−');
}

/** Bytes as megabytes with one decimal; the smallest is not nothing. */
export function shownSize(bytes: number): string {
  if (bytes < BYTES_PER_MEGABYTE / 10) return `${COUNT.format(Math.ceil(bytes / 1_000))} kB`;
  return `${COUNT.format(Math.round((bytes / BYTES_PER_MEGABYTE) * 10) / 10)} MB`;
}

/** US cents as dollars, to the cent. */
export function shownDollars(cents: bigint): string {
  const size = cents < 0n ? -cents : cents;
  return `${cents < 0n ? '−' : ''}$${COUNT.format(size / 100n)}.${String(size % 100n).padStart(2, '0')}`;
}

/** The same, with a sign also for what is more. */
export function shownMoreDollars(cents: bigint): string {
  return `${cents > 0n ? '+' : ''}${shownDollars(cents)}`;
}

/** A share of one in percent, with one decimal. */
export function shownShare(share: number): string {
  return SHARE.format(share).replace('-', '−');
}

/** The label of a window by its key, as `window_label` has it: `fy2026-q2` is `FY2026 Q2`. */
export function shownWindow(window_key: string): string {
  return window_key === 'all' ? 'All time' : window_key.toUpperCase().replace('-', ' ');
}

/** What a person wrote, with a full stop where other sentences may follow it. */
export function shownSentence(text: string): string {
  return /[.!?…]\s*$/u.test(text) ? text : `${text.trimEnd()}.`;
}
