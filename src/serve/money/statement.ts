/** The four figures of a window, and freed capacity beside them: each with its change, and the reason that weighs most. */
import { html } from 'hono/html';
import type { Step } from '../../figures/waterfall.ts';
import { changeOf, NO_ENTRIES, type WindowChange } from '../../figures/window-change.ts';
import {
  shownChange,
  shownDollarDifference,
  shownDollars,
  shownPoints,
  shownRoi,
} from '../frame/shown-values.ts';
import { stepsOf } from '../rows/moves.ts';
import { reasonPhrase } from '../rows/reason-words.ts';
import type { WindowTotals } from '../rows/window-totals.ts';
import type { Html } from '../frame/site-layout.ts';
import type { Overview } from './overview.ts';
import type { RowLinks } from './row-links.ts';

interface PortfolioRow {
  readonly window_key: string;
  readonly heading: Html;
  /** True if the page says that nothing moved. */
  readonly still: boolean;
}

/** A window's row of figures. */
export function statement(
  overview: Overview,
  links: RowLinks,
  { window_key, heading, still }: PortfolioRow,
): Html {
  const { totals, totals_before, moves, unsettled, year } = overview;
  const now = totals.portfolio.get(window_key);
  const then = totals_before?.portfolio.get(window_key);
  const change = totals_before === null || still ? null : changeOf(then, now);
  const steps = moves === null ? null : stepsOf(moves, window_key, then?.net_value ?? 0n);
  // A year without a dated entry has no window of its own: its rows are none.
  const of = { window: now ?? (window_key === 'all' ? undefined : year) };
  return figuresRow({
    heading,
    second: window_key === 'all',
    now: now ?? NO_ENTRIES,
    change,
    links: {
      cost: links.costs(of),
      provisional: links.costs({ ...of, provisional: true }),
      cash: links.cash(of),
      total: links.total(window_key),
    },
    why: heaviestReasons(change, steps),
    provisional_cents: unsettled.provisional.get(window_key) ?? 0n,
  });
}

type Reasons = Readonly<Record<'cost' | 'cash' | 'net', Html>>;

/** Under each changed figure the reason that weighs most; `steps` is null while both snapshots are compared. */
export function heaviestReasons(change: WindowChange | null, steps: readonly Step[] | null): Reasons {
  const why = (moved: bigint, chosen: (step: Step) => boolean, cents: (step: Step) => bigint): Html => {
    if (change === null || moved === 0n) return html``;
    if (steps === null) return html`<dd class="why">the reasons are being worked out</dd>`;
    return html`<dd class="why">${heaviest(steps.filter(chosen), cents)}</dd>`;
  };
  return {
    cost: why(
      change?.cost ?? 0n,
      ({ kind }) => kind === 'cost',
      ({ cents }) => cents,
    ),
    cash: why(
      change?.cash_value ?? 0n,
      ({ kind }) => kind === 'value',
      ({ cents }) => cents,
    ),
    net: why(
      change?.net_value ?? 0n,
      () => true,
      ({ net }) => net,
    ),
  };
}

/** True if no figure of any of the windows moved: the heading says so once, and no figure repeats it. */
export function nothingMoved(changes: readonly (WindowChange | null)[]): boolean {
  return changes.every(
    (change) =>
      change !== null && Object.values(change).every((moved) => moved === null || Number(moved) === 0),
  );
}

interface FiguresRow {
  readonly heading: Html;
  /** True for a row of smaller figures. */
  readonly second: boolean;
  readonly now: typeof NO_ENTRIES;
  /** Null without a snapshot before, or if the page says that nothing moved. */
  readonly change: WindowChange | null;
  readonly links: Readonly<Record<'cost' | 'provisional' | 'cash' | 'total', string>>;
  readonly why: Reasons;
  /** The part of the cost at a provisional rate. */
  readonly provisional_cents: bigint;
}

/** Five figures of a window of the portfolio or of one initiative. */
export function figuresRow(row: FiguresRow): Html {
  const { heading, second, now, change, links, why, provisional_cents } = row;
  const provisional =
    provisional_cents === 0n
      ? ''
      : html`<dd class="why">
          <a href="${links.provisional}">${shownDollars(provisional_cents)}</a> at a provisional rate
        </dd>`;
  return html`<div class="statement${second ? ' second' : ''}">
    ${heading}
    ${figure('Cost', 'cost', shownDollars(now.cost), links.cost, moneyChange(change, 'cost'), html`${why.cost} ${provisional}`)}
    ${figure('Cash value', 'value', shownDollars(now.cash_value), links.cash, moneyChange(change, 'cash_value'), why.cash)}
    ${figure('Net value', null, shownDollars(now.net_value), links.total, moneyChange(change, 'net_value'), why.net)}
    ${figure('Return (ROI)', null, shownRoi(now.roi), links.total, shownPoints(change?.roi_points ?? null), html`<dd class="why">${now.roi === null ? 'needs cost above zero' : 'net value ÷ cost'}</dd>`)}
    ${figure('Freed capacity', 'freed', shownDollars(now.freed_capacity), links.total, moneyChange(change, 'freed_capacity'), html`<dd class="why">time, not cash: in no sum here</dd>`)}
  </div>`;
}

function figure(
  name: string,
  tone: 'cost' | 'value' | 'freed' | null,
  amount: string,
  address: string,
  change: string,
  why: Html | undefined,
): Html {
  return html`<dl class="figure${tone === 'freed' ? ' beside' : ''}">
    <dt>${tone === null ? name : html`<span class="key ${tone}">${name}</span>`}</dt>
    <dd class="amount"><a href="${address}">${amount}</a></dd>
    ${change === '' ? '' : html`<dd class="change">${change}</dd>`} ${why ?? ''}
  </dl>`;
}

type Amount = 'cost' | 'cash_value' | 'net_value' | 'freed_capacity';

function moneyChange(change: WindowChange | null, of: Amount): string {
  return change === null ? '' : shownChange(change[of]);
}

function heaviest(steps: readonly Step[], cents: (step: Step) => bigint): string {
  const size = (step: Step): bigint => (cents(step) < 0n ? -cents(step) : cents(step));
  const [most] = steps.toSorted((a, b) => (size(a) === size(b) ? 0 : size(a) < size(b) ? 1 : -1));
  if (most === undefined) return '';
  const words = `${reasonPhrase(most.reason, most.kind, most.entries)}, ${shownDollarDifference(cents(most))}`;
  return steps.length === 1 ? words : `mostly ${words}`;
}

/** The label of a window. While the window runs, `so far` follows: `FY2027 so far`. */
export function shownLabel({ window_label, complete, window_kind }: WindowTotals): string {
  return complete || window_kind === 'all_time' ? window_label : `${window_label} so far`;
}
