/** The bars of a waterfall, one drawing for each row of its table, all on one scale. */
import { scaleLinear } from 'd3-scale';
import { html } from 'hono/html';
import type { Html } from '../frame/site-layout.ts';

const WIDTH = 420;
const HEIGHT = 26;
/** Space for the arrow heads. */
const MARGIN = 12;
const TOP = 6;
const BAR = 14;
/** A step of one cent must still be seen. */
const LEAST_WIDTH = 1;

/** Returns a function that turns a net value into its horizontal position in the drawing. Zero is always inside. */
export function waterfallScale(levels: readonly bigint[]): (level: bigint) => number {
  // Cents below 2^53, so numbers are exact here. The table has the same figures as text.
  const numbers = [0, ...levels.map(Number)];
  const [least, greatest] = [Math.min(...numbers), Math.max(...numbers)];
  const scale = scaleLinear([least, least === greatest ? least + 1 : greatest], [MARGIN, WIDTH - MARGIN]);
  return (level) => Math.round(scale(Number(level)) * 10) / 10;
}

interface Bar {
  readonly from: bigint;
  readonly to: bigint;
  readonly kind: 'value' | 'cost' | 'total';
  /** True where the next row begins at the end of this bar. */
  readonly joined: boolean;
}

/** The drawing of one row, without a bar where nothing is. The table has the same figures as text, so a screen reader skips it. */
export function waterfallBar(scale: (level: bigint) => number, { from, to, kind, joined }: Bar): Html {
  const [start, end, zero] = [scale(from), scale(to), scale(0n)];
  const left = Math.min(start, end);
  const width = Math.max(Math.abs(end - start), LEAST_WIDTH);
  const tone = kind === 'total' ? 'wf-total' : `wf-${kind}`;
  const points = end >= start ? { at: end + 3, by: 6 } : { at: end - 3, by: -6 };
  const tip = kind === 'total' || from === to ? null : points;
  return html`<svg class="wf" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">
    <path class="wf-zero" d="M${zero} 0V${HEIGHT}" />
    ${joined ? html`<path class="wf-join" d="M${end} ${TOP + BAR}V${2 * HEIGHT}" />` : ''}
    ${from === to ? '' : html`<rect class="${tone}" x="${left}" y="${TOP}" width="${width}" height="${BAR}" />`}
    ${tip === null ? '' : html`<path class="${tone}" d="M${tip.at} 8l${tip.by} 5l${-tip.by} 5z" />`}
  </svg>`;
}
