/** Formats instants, differences, shares and amounts for pages. */
import { html } from 'hono/html';
import { shownCount, shownInstant } from '../../format.ts';
import { formatInstant, type Instant } from '../../time.ts';

const SHARE = new Intl.NumberFormat('en-US', {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** An instant to the minute, in UTC; the `datetime` attribute has the exact value. */
export function shownMoment(moment: Instant) {
  return html`<time datetime="${formatInstant(moment)}">${shownInstant(moment)}</time>`;
}

/** A difference with its sign; 0 has none. */
export function shownDifference(count: number): string {
  return count > 0 ? `+${shownCount(count)}` : shownCount(count).replace('-', '−');
}

/** US cents as dollars with two decimals. */
export function shownDollars(cents: bigint): string {
  const size = cents < 0n ? -cents : cents;
  return `${cents < 0n ? '−' : ''}$${shownCount(size / 100n)}.${String(size % 100n).padStart(2, '0')}`;
}

/** Dollars with a sign, also for positive amounts. */
export function shownDollarDifference(cents: bigint): string {
  return `${cents > 0n ? '+' : ''}${shownDollars(cents)}`;
}

/** A share of one as a percentage with one decimal. */
export function shownShare(share: number): string {
  return SHARE.format(share).replace('-', '−');
}

/**
 * Makes the label of a reporting window from its key, as column `window_label` does: `fy2026-q2` becomes `FY2026 Q2`.
 */
export function shownWindow(window_key: string): string {
  return window_key === 'all' ? 'All time' : window_key.toUpperCase().replace('-', ' ');
}

/** Text written by a person. Adds a full stop if none ends it, because another sentence follows. */
export function shownSentence(text: string): string {
  return /[.!?…]\s*$/u.test(text) ? text : `${text.trimEnd()}.`;
}
