/** Quarter by quarter: a small drawing of cash value and cost for each, all on one scale, with figures and return beneath. */
import { scaleLinear } from 'd3-scale';
import { html } from 'hono/html';
import { addMonths, type Day } from '../../figures/calendar.ts';
import type { FiscalMoment } from '../../figures/windows.ts';
import { shownDollars, shownMonth, shownRoi } from '../frame/shown-values.ts';
import type { Windows, WindowTotals } from '../rows/window-totals.ts';
import type { Html } from '../frame/site-layout.ts';
import { foldBox } from './fold.ts';
import type { RowLinks } from './row-links.ts';

/** Three years. */
const MAX_QUARTERS = 12;
/** An entry may be dated years ahead. The quarters after the month of the snapshot end where its chart of months ends. */
const MONTHS_AHEAD = 12;
const WIDTH = 60;
const HEIGHT = 92;

interface Shown {
  /** The windows of the portfolio, or of the initiative. */
  readonly windows: Windows;
  readonly moment: FiscalMoment;
  readonly links: RowLinks;
  readonly initiative_id?: bigint;
}

/** The section with the newest quarters, oldest first; nothing without any. */
export function quarterSection({ windows, moment, links, initiative_id }: Shown): Html | '' {
  const of = initiative_id === undefined ? {} : { initiative_id };
  const shown = quarters(windows, moment, (window) => ({
    cost: links.costs({ ...of, window }),
    cash: links.cash({ ...of, window }),
    total: links.total(window.window_key, initiative_id),
  }));
  if (shown === '') return '';
  const start = shownMonth(`2000-${String(moment.fiscal_year_start_month).padStart(2, '0')}-01`).slice(0, 3);
  return html`<section>
    <div class="head">
      <h2 id="quarters">Quarter by quarter</h2>
      <p>the fiscal year begins in ${start}; ROI is net value ÷ cost of the quarter</p>
    </div>
    ${shown}
  </section>`;
}

/** The addresses of the rows behind the figures of a window. */
type LinksOf = (window: WindowTotals) => Readonly<Record<'cost' | 'cash' | 'total', string>>;

function quarters(windows: Windows, { as_of }: FiscalMoment, linksOf: LinksOf): Html | '' {
  const last = addMonths(as_of, MONTHS_AHEAD);
  const shown = [...windows.values()]
    .filter(({ window_kind, from_date }) => window_kind === 'fiscal_quarter' && (from_date ?? '') <= last)
    .toSorted((a, b) => (a.through_date < b.through_date ? -1 : 1))
    .slice(-MAX_QUARTERS);
  if (shown.length === 0) return '';
  const extent = shown.flatMap(({ cash_value, cost }) => [Number(cash_value), -Number(cost)]);
  const [least, greatest] = [Math.min(0, ...extent), Math.max(0, ...extent)];
  const y = scaleLinear([least, greatest === least ? least + 1 : greatest], [HEIGHT - 1, 1]);
  return html`${foldBox(shown.length, 'quarters')}
    <ol class="quarters">
      ${shown.map((each) => quarter(each, as_of, (cents) => Math.round(y(Number(cents)) * 10) / 10, linksOf(each)))}
    </ol>`;
}

function quarter(
  window: WindowTotals,
  as_of: Day,
  y: (cents: bigint) => number,
  links: ReturnType<LinksOf>,
): Html {
  const { window_label, from_date, complete, cash_value, cost, net_value, roi } = window;
  const standing = (from_date ?? '') > as_of ? 'ahead' : 'so far';
  const soft = complete ? '' : ' soft';
  const bar = (tone: string, cents: bigint): Html | '' => {
    if (cents === 0n) return '';
    const [top, bottom] = [Math.min(y(cents), y(0n)), Math.max(y(cents), y(0n))];
    return html`<rect
      class="${tone}${soft}"
      x="6"
      y="${top}"
      width="${WIDTH - 12}"
      height="${Math.max(bottom - top, 1)}"
    />`;
  };
  return html`<li>
    <h3>${window_label}${complete ? '' : html` <small>${standing}</small>`}</h3>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">
      ${bar('bar-value', cash_value)} ${bar('bar-cost', -cost)}
      <path class="zero" d="M0 ${y(0n)}H${WIDTH}" />
    </svg>
    <dl>
      <div>
        <dt>Cost</dt>
        <dd class="of-cost"><a href="${links.cost}">${shownDollars(cost)}</a></dd>
      </div>
      <div>
        <dt>Cash value</dt>
        <dd class="of-value"><a href="${links.cash}">${shownDollars(cash_value)}</a></dd>
      </div>
      <div class="net">
        <dt>Net value</dt>
        <dd>${shownDollars(net_value)}</dd>
      </div>
      <div class="roi">
        <dt>ROI</dt>
        <dd><a href="${links.total}">${shownRoi(roi)}</a></dd>
      </div>
    </dl>
  </li>`;
}
