/** Month by month: cash value stands up and cost hangs down from one line, on one scale; cumulative net stands beneath. */
import { html } from 'hono/html';
import { firstOfMonth } from '../../figures/calendar.ts';
import type { MonthFigures } from '../../figures/month-series.ts';
import { type FiscalMoment, nearbyWindows } from '../../figures/windows.ts';
import { shownDollars } from '../frame/shown-values.ts';
import type { Html } from '../frame/site-layout.ts';
import {
  axis,
  axisDollars,
  dollars,
  pointPlaces,
  round,
  scaleOf,
  type Shape,
  SHAPES,
  shownMonth,
} from './chart-parts.ts';

const BARS = { top: 24, height: 196 };
const LINE = { top: 268, height: 104 };
const HEIGHT = 404;
const BAR_SHARE = 0.62;
const MAX_BAR = 26;
/** The width of a fiscal year's name with its first month. */
const YEAR_LABEL = 150;
/** The width of a fiscal year's name alone. */
const YEAR_NAME = 48;
/** The drawings. The table below the chart has every figure, so a screen reader hears the title and the description. */
export function monthsChart(months: readonly MonthFigures[], moment: FiscalMoment): Html {
  return html`${SHAPES.map((shape) => drawing(shape, months, moment))}`;
}

interface Drawn {
  readonly shape: Shape;
  readonly months: readonly MonthFigures[];
  readonly moment: FiscalMoment;
  /** The middle of a month. */
  readonly x: (place: number) => number;
  readonly band: number;
}

function drawing(shape: Shape, months: readonly MonthFigures[], moment: FiscalMoment): Html {
  const band = (shape.width - shape.left - shape.right) / months.length;
  const x = (place: number): number => round(shape.left + (place + 0.5) * band);
  const drawn = { shape, months, moment, x, band };
  const [first, last] = [months[0], months.at(-1)];
  return html`<svg
    class="chart ${shape.name}"
    viewBox="0 0 ${shape.width} ${HEIGHT}"
    ${pointPlaces(
      shape,
      months.map((_, place) => x(place)),
    )}
    role="img"
    aria-labelledby="months-title-${shape.name} months-text-${shape.name}"
  >
    <title id="months-title-${shape.name}">Cost and cash value by month, and cumulative net</title>
    <desc id="months-text-${shape.name}">
      From ${shownMonth(first?.month ?? moment.as_of)} to ${shownMonth(last?.month ?? moment.as_of)}. Net
      value of these and all earlier months: ${shownDollars(last?.cumulative_net_cents ?? 0n)}. The table
      below has every month.
    </desc>
    ${years(drawn)} ${bars(drawn)} ${line(drawn)}
  </svg>`;
}

/** A dashed line at the start of each fiscal year, with its name beneath. A year that began before the first month has no line. */
function years({ shape, months, moment, x, band }: Drawn): readonly Html[] {
  return months.flatMap(({ month }, place) => {
    const { from_date, window_label } = nearbyWindows({ ...moment, as_of: month }).year;
    if (from_date !== month && (place > 0 || nearLeft(months, moment, band))) return [];
    const at = round(x(place) - band / 2);
    const from = shape.hasEndWords && band * 12 > YEAR_LABEL ? ` from ${shownMonth(from_date)}` : '';
    const start =
      from_date === month ? html`<path class="year" d="M${at} ${BARS.top}V${LINE.top + LINE.height}" />` : '';
    if (at > shape.width - YEAR_NAME) return start === '' ? [] : [start];
    return [
      html`${start}<text x="${at + 3}" y="${HEIGHT - 10}"
          ><tspan class="strong">${window_label}</tspan>${from}</text
        >`,
    ];
  });
}

/** True if the second fiscal year begins so soon that the name of the first would run into its name. */
function nearLeft(months: readonly MonthFigures[], moment: FiscalMoment, band: number): boolean {
  const next = months.findIndex(
    ({ month }) => nearbyWindows({ ...moment, as_of: month }).year.from_date === month,
  );
  return next > 0 && next * band < YEAR_LABEL;
}

function bars(drawn: Drawn): Html {
  const { shape, months, moment, x, band } = drawn;
  const ups = months.map(({ cash_value_cents, cost_cents }) =>
    Math.max(dollars(cash_value_cents), -dollars(cost_cents)),
  );
  const downs = months.map(({ cash_value_cents, cost_cents }) =>
    Math.max(dollars(cost_cents), -dollars(cash_value_cents)),
  );
  const y = scaleOf([-Math.max(...downs, 0), Math.max(...ups, 0)], BARS);
  const width = round(Math.min(band * BAR_SHARE, MAX_BAR));
  const here = firstOfMonth(moment.as_of);
  const bar = (place: number, cents: bigint, kind: 'cost' | 'value', soft: boolean): Html | '' => {
    if (cents === 0n) return '';
    const end = y(kind === 'cost' ? -dollars(cents) : dollars(cents));
    const [top, bottom] = [Math.min(end, y(0)), Math.max(end, y(0))];
    const tone = `bar-${kind}${soft || cents < 0n ? ' soft' : ''}`;
    return html`<rect
      class="${tone}"
      x="${round(x(place) - width / 2)}"
      y="${round(top)}"
      width="${width}"
      height="${round(Math.max(bottom - top, 1))}"
    />`;
  };
  const running = months.findIndex(({ month }) => month === here);
  return html`${axis(shape, y, (value) => Math.abs(value))}
    <text x="${shape.left}" y="${BARS.top - 10}">Came back, by month ↑</text>
    <text x="${shape.left}" y="${BARS.top + BARS.height + 16}">Spent, by month ↓</text>
    ${months.map(
      ({ month, cash_value_cents, cost_cents }, place) =>
        html`${bar(place, cash_value_cents, 'value', month >= here)}${bar(place, cost_cents, 'cost', month >= here)}`,
    )}
    ${
      shape.hasEndWords && running === months.length - 1
        ? html`<text x="${shape.width - shape.right + 10}" y="${round(y(0) + 4)}"
            >${shownMonth(here).slice(0, 3)} so far</text
          >`
        : ''
    }`;
}

function line({ shape, months, x }: Drawn): Html {
  const nets = months.map(({ cumulative_net_cents }) => dollars(cumulative_net_cents));
  const y = scaleOf([Math.min(0, ...nets), Math.max(0, ...nets)], LINE);
  const points = nets.map((net, place) => `${x(place)} ${round(y(net))}`);
  const last = months.at(-1);
  const end = { x: x(months.length - 1), y: round(y(nets.at(-1) ?? 0)) };
  const zero = round(y(0));
  return html`${axis(shape, y, (value) => value)}
    <text x="${shape.left}" y="${LINE.top - 10}">
      ${shape.hasEndWords ? 'Cumulative net: cash value less cost, all months so far' : 'Cumulative net'}
    </text>
    <path class="ground" d="M${x(0)} ${zero}L${points.join('L')}L${end.x} ${zero}Z" />
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
