/** Instants, differences, shares and amounts as a page shows them. */
import { html } from 'hono/html';
import { shownCount, shownInstant } from '../../format.ts';
import { formatInstant, type Instant } from '../../time.ts';

const SHARE = new Intl.NumberFormat('en-US', {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** An instant of the contract to the minute, in UTC; programs find all of it. */
export function shownMoment(moment: Instant) {
  return html`<time datetime="${formatInstant(moment)}">${shownInstant(moment)}</time>`;
}

/** How many more or less, with its sign; 0 has none. */
export function shownMore(count: number): string {
  return count > 0 ? `+${shownCount(count)}` : shownCount(count).replace('-', '−');
}

/** US cents as dollars, to the cent. */
export function shownDollars(cents: bigint): string {
  const size = cents < 0n ? -cents : cents;
  return `${cents < 0n ? '−' : ''}$${shownCount(size / 100n)}.${String(size % 100n).padStart(2, '0')}`;
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
