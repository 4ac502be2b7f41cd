/** Formats instants, differences, shares and amounts for pages. */
import { html } from 'hono/html';
import { shownCount, shownInstant } from '../../format.ts';
import type { Instant } from '../../instant.ts';
import { formatInstant } from '../../time.ts';

const SHARE = new Intl.NumberFormat('en-US', {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

const POINTS = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

/** Browsers break a line between a sign and a currency, unless this stands between them. It has no width. */
const JOINER = '\u{2060}';

export const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Nov 2026` for the first day of a month. */
export function shownMonth(month: string): string {
  return `${MONTHS[Number(month.slice(5, 7)) - 1] ?? ''} ${month.slice(0, 4)}`;
}

/** An instant to the minute, in UTC; the `datetime` attribute has the exact value. */
export function shownMoment(moment: Instant) {
  return html`<time datetime="${formatInstant(moment)}">${shownInstant(moment)}</time>`;
}

/** The same for a narrow column: a line may break between the day and the time. */
export function shownMomentInParts(moment: Instant) {
  const [day = '', ...time] = shownInstant(moment).split(' ');
  return html`<time class="parts" datetime="${formatInstant(moment)}"
    ><span class="nowrap">${day}</span> <span class="nowrap">${time.join(' ')}</span></time
  >`;
}

/** A day, in which no line breaks. */
export function shownDay(day: string) {
  return html`<time datetime="${day}">${day}</time>`;
}

/** A difference with its sign; 0 has none. */
export function shownDifference(count: number): string {
  return count > 0 ? `+${shownCount(count)}` : shownCount(count).replace('-', '−');
}

/** US cents as dollars with two decimals; no line breaks after the sign. */
export function shownDollars(cents: bigint): string {
  const size = cents < 0n ? -cents : cents;
  return `${cents < 0n ? `−${JOINER}` : ''}$${shownCount(size / 100n)}.${String(size % 100n).padStart(2, '0')}`;
}

/** Dollars with a sign, also for positive amounts. */
export function shownDollarDifference(cents: bigint): string {
  return `${cents > 0n ? `+${JOINER}` : ''}${shownDollars(cents)}`;
}

/** An amount in its currency: `$1,250.00`, `KES 7,000.00`. */
export function shownAmount(cents: bigint, currency: string | null): string {
  const dollars = shownDollars(cents);
  if (currency === null || currency === 'USD') return dollars;
  return `${currency}\u{A0}${dollars.replace('$', '')}`;
}

/** A share of one as a percentage with one decimal: `−49.2 %`, with a space that no line breaks at. */
export function shownShare(share: number): string {
  return SHARE.format(share).replace('-', '−').replace('%', '\u{A0}%');
}

/** The scale of a ratio where it is written unrounded, as in a spreadsheet. */
export const SHARE_SCALE = '1 is 100 %';

/** A ratio as a percentage; a word where there is none. */
export function shownRoi(roi: number | null): string {
  return roi === null ? 'none' : shownShare(roi);
}

/** A change of an amount, in words if there is none. */
export function shownChange(cents: bigint): string {
  return cents === 0n ? 'no change' : shownDollarDifference(cents);
}

/** A change of a ratio in percentage points; empty if one side has no ratio. */
export function shownPoints(points: number | null): string {
  if (points === null) return '';
  const shown = POINTS.format(points).replace('-', '−');
  return /[1-9]/.test(shown) ? `${shown} points` : 'no change';
}

/**
 * Makes the label of a reporting window from its key, as column `window_label` does: `fy2026-q2` becomes `FY2026 Q2`.
 */
export function shownWindow(window_key: string): string {
  return window_key === 'all' ? 'All time' : window_key.toUpperCase().replace('-', ' ');
}
