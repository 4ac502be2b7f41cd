/** A plan against what came back: cash value so far above, net so far beneath, on one axis of months. */
import { html } from 'hono/html';
import { addMonths, type Day, firstOfMonth, monthNumber } from '../../figures/calendar.ts';
import type { MonthFigures } from '../../figures/month-series.ts';
import type { PlanPath } from '../../figures/plan-path.ts';
import { type FiscalMoment, nearbyWindows } from '../../figures/windows.ts';
import type { Html } from '../site/site-layout.ts';
import { axis, axisDollars, dollars, round, scaleOf, type Shape, SHAPES, shownMonth } from './chart-parts.ts';

const VALUE = { top: 24, height: 170 };
const NET = { top: 240, height: 110 };
const RAIL = 386;
const HEIGHT = 428;
/** The width of a fiscal year's name. */
const YEAR_NAME = 48;
/** Ten years. */
const MAX_MONTHS = 120;

export interface PlanChart {
  /** Up to the month of the snapshot. */
  readonly months: readonly MonthFigures[];
  readonly plan: PlanPath | null;
  readonly moment: FiscalMoment;
  readonly paid_back: Day | null;
  /** Days of decisions, numbered from 1 in this order. */
  readonly decided: readonly Day[];
}

/** Both drawings; nothing for fewer than two months. */
export function planChart(chart: PlanChart): Html | '' {
  const { months, plan, moment, decided } = chart;
  const here = firstOfMonth(moment.as_of);
  const known = [
    ...decided.map(firstOfMonth),
    ...months.map(({ month }) => month),
    ...(plan?.months.map(({ month }) => month) ?? []),
    here,
  ];
  const first = known.reduce((least, month) => (month < least ? month : least), here);
  const last = known.reduce((most, month) => (month > most ? month : most), here);
  const length = Math.min(monthNumber(last) - monthNumber(first) + 1, MAX_MONTHS);
  if (length < 2) return '';
  return html`${SHAPES.map((shape) => drawing({ ...chart, shape, first, length, here }))}`;
}

interface Drawn extends PlanChart {
  readonly shape: Shape;
  readonly first: Day;
  readonly length: number;
  readonly here: Day;
}

function drawing(drawn: Drawn): Html {
  const { shape, first, length, plan, months, here, moment, paid_back } = drawn;
  const band = (shape.width - shape.left - shape.right) / length;
  const x = (month: Day): number =>
    round(shape.left + (monthNumber(month) - monthNumber(first) + 0.5) * band);
  const shown = (month: Day): boolean => month < addMonths(first, length);
  const came = months.map(({ month, cumulative_cash_cents }) => ({
    month,
    level: dollars(cumulative_cash_cents),
  }));
  const nets = months.map(({ month, cumulative_net_cents }) => ({
    month,
    level: dollars(cumulative_net_cents),
  }));
  const planned = (plan?.months ?? [])
    .filter(({ month }) => shown(month))
    .map(({ month, value_cents }) => ({ month, level: dollars(value_cents) }));
  const upper = scaleOf([0, Math.max(1, ...[...came, ...planned].map(({ level }) => level))], VALUE);
  const levels = nets.map(({ level }) => level);
  const lower = scaleOf([Math.min(0, ...levels), Math.max(0, ...levels)], NET);
  const path = (
    points: readonly { readonly month: Day; readonly level: number }[],
    y: (value: number) => number,
  ): string =>
    points.length === 0
      ? ''
      : `M${points.map(({ month, level }) => `${x(month)} ${round(y(level))}`).join('L')}`;
  const break_even = plan?.break_even ?? null;
  const id = `plan-${shape.name}`;
  const years = Array.from({ length }, (_, place) => addMonths(first, place)).filter(
    (month) => nearbyWindows({ ...moment, as_of: month }).year.from_date === month,
  );
  return html`<svg
    class="chart ${shape.name}"
    viewBox="0 0 ${shape.width} ${HEIGHT}"
    role="img"
    aria-labelledby="${id}-title ${id}-text"
  >
    <title id="${id}-title">Plan and actual: cash value so far, and net so far</title>
    <desc id="${id}-text">
      From ${shownMonth(first)} to ${shownMonth(addMonths(first, length - 1))}. The figures above and the
      table below say the same.
    </desc>
    ${years.map((month) => html`<path class="year" d="M${round(x(month) - band / 2)} ${VALUE.top}V${RAIL + 14}" />${x(month) > shape.width - YEAR_NAME ? '' : html`<text x="${round(x(month) - band / 2 + 3)}" y="${HEIGHT - 8}"><tspan class="strong">${nearbyWindows({ ...moment, as_of: month }).year.window_label}</tspan></text>`}`)}
    ${axis(shape, upper, (value) => value)}
    <text x="${shape.left}" y="${VALUE.top - 10}">Cash value so far</text>
    <path class="planned" d="${path(planned, upper)}" />
    <path class="came" d="${path(came, upper)}" />
    ${axis(shape, lower, (value) => value)}
    <text x="${shape.left}" y="${NET.top - 10}">Net so far: cash value less cost</text>
    <path class="line" d="${path(nets, lower)}" />
    <path class="year" d="M${x(here)} ${VALUE.top}V${RAIL}" />
    ${
      break_even !== null && shown(break_even)
        ? html`<path class="planned" d="M${x(break_even)} ${NET.top}V${NET.top + NET.height}" />
            <text x="${x(break_even) + 4}" y="${NET.top + 12}">planned ${shownMonth(break_even)}</text>`
        : ''
    }
    ${
      paid_back === null
        ? ''
        : html`<circle
              class="ring"
              cx="${x(paid_back)}"
              cy="${round(lower(nets.find(({ month }) => month === paid_back)?.level ?? 0))}"
              r="5"
            />
            <text class="strong" x="${x(paid_back) + 8}" y="${round(lower(0) + 16)}"
              >paid back ${shownMonth(paid_back)}</text
            >`
    }
    ${shape.name === 'wide' && came.length > 0 ? html`<text class="strong" x="${shape.width - shape.right + 10}" y="${round(upper(came.at(-1)?.level ?? 0) + 4)}">${axisDollars(came.at(-1)?.level ?? 0)}</text>` : ''}
    ${rail(drawn, x, band)}
  </svg>`;
}

/** Decisions by number on a line; several in a month stand one below the other. */
function rail({ shape, decided, first, length }: Drawn, x: (month: Day) => number, band: number): Html | '' {
  const inside = decided.map((day) => day >= first && day < addMonths(first, length));
  if (!inside.includes(true)) return '';
  const places = decided.map((day) => x(firstOfMonth(day)) + (Number(day.slice(8)) / 31 - 0.5) * band);
  return html`<path class="zero" d="M${shape.left} ${RAIL}H${shape.width - shape.right}" /> ${decided.map(
      (_, place) => {
        if (inside[place] !== true) return '';
        const at = round(places[place] ?? 0);
        const above = places.slice(0, place).filter((other) => Math.abs(other - at) < 16).length;
        const y = RAIL - 14 * Math.min(above, 2);
        return html`<circle class="ring" cx="${at}" cy="${y}" r="8" />
          <text class="strong middle" x="${at}" y="${y + 4}">${place + 1}</text>`;
      },
    )}`;
}
