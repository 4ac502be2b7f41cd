/**
 * A line of the cumulative net value for a table cell: with its own scale and a dotted line at zero, without an axis.
 */
import { scaleLinear } from 'd3-scale';
import { html } from 'hono/html';
import type { MonthFigures } from '../../figures/month-series.ts';
import type { Html } from '../frame/site-layout.ts';

const WIDTH = 120;
const HEIGHT = 28;
const MARGIN = 4;

/** The line as SVG; empty for fewer than two months, or if all are zero. The table has the exact figure beside the line. */
export function smallLine(months: readonly MonthFigures[]): Html | '' {
  const nets = months.map(({ cumulative_net_cents }) => Number(cumulative_net_cents));
  const [least, greatest] = [Math.min(0, ...nets), Math.max(0, ...nets)];
  if (months.length < 2 || least === greatest) return '';
  const y = scaleLinear([least, greatest], [HEIGHT - MARGIN, MARGIN]);
  const x = scaleLinear([0, nets.length - 1], [MARGIN, WIDTH - MARGIN]);
  const points = nets.map((net, index) => `${x(index).toFixed(1)} ${y(net).toFixed(1)}`);
  return html`<svg class="small-line" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">
    <path class="dotted" d="M${MARGIN} ${y(0).toFixed(1)}H${WIDTH - MARGIN}" />
    <path class="line" d="M${points.join('L')}" />
    <circle class="dot" cx="${WIDTH - MARGIN}" cy="${y(nets.at(-1) ?? 0).toFixed(1)}" r="2.5" />
  </svg>`;
}
