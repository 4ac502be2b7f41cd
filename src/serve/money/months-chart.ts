/** Month by month: cash value stands up and cost hangs down from one line, on one scale; cumulative net stands beneath. */
import { html } from 'hono/html';
import { type Day, firstOfMonth } from '../../figures/calendar.ts';
import type { MonthFigures } from '../../figures/month-series.ts';
import type { FiscalMoment } from '../../figures/windows.ts';
import { shownDollars, shownMonth } from '../frame/shown-values.ts';
import type { Html } from '../frame/site-layout.ts';
import {
  amountAxis,
  axisDollars,
  dollars,
  drawing,
  hasNet,
  monthAxis,
  type MonthAxis,
  type Panel,
  round,
  scaleOf,
  type Shape,
  SHAPES,
  yearLines,
} from './chart-parts.ts';

const BARS = { top: 24, height: 196 };
const LINE_HEIGHT = 104;
/** From the end of the bars to the line beneath: two lines of words stand between. */
const NEXT_PANEL = 48;
/** Below the panels stand the names of the fiscal years. */
const FOOT = 32;
const BAR_SHARE = 0.62;
const MAX_BAR_PIXELS = 26;

/** The drawings; nothing if every amount is zero. A panel of zeros alone is not drawn either. */
export function monthsChart(months: readonly MonthFigures[], moment: FiscalMoment): Html | '' {
  if (!hasBars(months) && !hasNet(months)) return '';
  return html`${SHAPES.map((shape) => drawn(shape, months, moment))}`;
}

function hasBars(months: readonly MonthFigures[]): boolean {
  return months.some(({ cost_cents, cash_value_cents }) => cost_cents !== 0n || cash_value_cents !== 0n);
}

interface Drawn {
  readonly axis: MonthAxis;
  readonly months: readonly MonthFigures[];
  readonly moment: FiscalMoment;
}

function drawn(shape: Shape, months: readonly MonthFigures[], moment: FiscalMoment): Html {
  const [first, last] = [months[0]?.month ?? moment.as_of, months.at(-1)];
  const chart = { axis: monthAxis(shape, first, months.length), months, moment };
  const top = hasBars(months) ? BARS.top + BARS.height + NEXT_PANEL : BARS.top;
  const end = hasNet(months) ? top + LINE_HEIGHT : BARS.top + BARS.height;
  const years = { top: BARS.top, height: end - BARS.top, names: end + FOOT - 10 };
  return drawing({
    axis: chart.axis,
    id: 'months',
    height: end + FOOT,
    title: 'Cost and cash value by month, and cumulative net',
    text: `From ${shownMonth(first)} to ${shownMonth(last?.month ?? moment.as_of)}. Net value of these and all earlier months: ${shownDollars(last?.cumulative_net_cents ?? 0n)}. The table below has every month.`,
    months,
    content: html`${yearLines(chart.axis, moment, years)} ${hasBars(months) ? bars(chart) : ''}
    ${hasNet(months) ? line(chart, { top, height: LINE_HEIGHT }) : ''}`,
  });
}

function bars({ axis: { shape, x, band }, months, moment }: Drawn): Html {
  const ups = months.map(({ cash_value_cents, cost_cents }) =>
    Math.max(dollars(cash_value_cents), -dollars(cost_cents)),
  );
  const downs = months.map(({ cash_value_cents, cost_cents }) =>
    Math.max(dollars(cost_cents), -dollars(cash_value_cents)),
  );
  const y = scaleOf([-Math.max(...downs, 0), Math.max(...ups, 0)], BARS);
  const width = round(Math.min(band * BAR_SHARE, MAX_BAR_PIXELS));
  const here = firstOfMonth(moment.as_of);
  const bar = (month: Day, cents: bigint, kind: 'cost' | 'value'): Html | '' => {
    if (cents === 0n) return '';
    const end = y(kind === 'cost' ? -dollars(cents) : dollars(cents));
    const [top, bottom] = [Math.min(end, y(0)), Math.max(end, y(0))];
    const tone = `bar-${kind}${month >= here || cents < 0n ? ' soft' : ''}`;
    return html`<rect
      class="${tone}"
      x="${round(x(month) - width / 2)}"
      y="${round(top)}"
      width="${width}"
      height="${round(Math.max(bottom - top, 1))}"
    />`;
  };
  return html`${amountAxis(shape, y, (value) => Math.abs(value))}
    <text x="${shape.left}" y="${BARS.top - 10}">Came back, by month ↑</text>
    <text x="${shape.left}" y="${BARS.top + BARS.height + 16}">Spent, by month ↓</text>
    ${months.map(
      ({ month, cash_value_cents, cost_cents }) =>
        html`${bar(month, cash_value_cents, 'value')}${bar(month, cost_cents, 'cost')}`,
    )}
    ${
      shape.hasEndWords && months.at(-1)?.month === here
        ? html`<text x="${shape.width - shape.right + 10}" y="${round(y(0) + 4)}"
            >${shownMonth(here).slice(0, 3)} so far</text
          >`
        : ''
    }`;
}

function line({ axis: { shape, first, x }, months }: Drawn, panel: Panel): Html {
  const nets = months.map(({ cumulative_net_cents }) => dollars(cumulative_net_cents));
  const y = scaleOf([Math.min(0, ...nets), Math.max(0, ...nets)], panel);
  const points = months.map(({ month }, index) => `${x(month)} ${round(y(nets[index] ?? 0))}`);
  const last = months.at(-1);
  const end = { x: x(last?.month ?? first), y: round(y(nets.at(-1) ?? 0)) };
  const zero = round(y(0));
  return html`${amountAxis(shape, y, (value) => value)}
    <text x="${shape.left}" y="${panel.top - 10}">
      ${shape.hasEndWords ? 'Cumulative net: cash value less cost, all months so far' : 'Cumulative net'}
    </text>
    <path class="ground" d="M${x(first)} ${zero}L${points.join('L')}L${end.x} ${zero}Z" />
    <path class="line" d="M${points.join('L')}" />
    <circle class="dot" cx="${end.x}" cy="${end.y}" r="3.5" />
    ${
      last === undefined || !shape.hasEndWords
        ? ''
        : html`<text class="strong" x="${shape.width - shape.right + 10}" y="${end.y + 1}"
              >${axisDollars(dollars(last.cumulative_net_cents))}</text
            >
            <text x="${shape.width - shape.right + 10}" y="${end.y + 16}">by ${shownMonth(last.month)}</text>`
    }`;
}
