/** A plan against what came back: cash value so far above, net so far beneath, on one axis of months. */
import { html } from 'hono/html';
import { shownMonth } from '../frame/shown-values.ts';
import { addMonths, type Day, firstOfMonth, monthNumber } from '../../figures/calendar.ts';
import type { MonthFigures } from '../../figures/month-series.ts';
import type { PlanPath } from '../../figures/plan-path.ts';
import type { FiscalMoment } from '../../figures/windows.ts';
import type { Html } from '../frame/site-layout.ts';
import {
  amountAxis,
  axisDollars,
  dollars,
  drawing,
  monthAxis,
  type MonthAxis,
  round,
  scaleOf,
  type Shape,
  SHAPES,
  yearLines,
} from './chart-parts.ts';

const VALUE = { top: 24, height: 170 };
const NET = { top: 240, height: 110 };
const RAIL = 382;
/** Several decisions of one month stand one below the other, up to this many. */
const MAX_STACKED = 4;
const STACK_STEP = 17;
const HEIGHT = 466;
const YEARS = { top: VALUE.top, height: HEIGHT - 24 - VALUE.top, names: HEIGHT - 8 };
/** Two labels with less between their lines run into each other. */
const LABEL_HEIGHT = 15;
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

/** The drawings; nothing for fewer than two months. */
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
  return html`${SHAPES.map((shape) => drawn({ ...chart, axis: monthAxis(shape, first, length), here }))}`;
}

interface Drawn extends PlanChart {
  readonly axis: MonthAxis;
  readonly here: Day;
}

interface Point {
  readonly month: Day;
  readonly level: number;
}

function drawn(chart: Drawn): Html {
  const { axis, months, moment } = chart;
  const { first, length } = axis;
  return drawing({
    axis,
    id: 'plan',
    height: HEIGHT,
    title: 'Plan and actual: cash value so far, and net so far',
    text: `From ${shownMonth(first)} to ${shownMonth(addMonths(first, length - 1))}. The figures above and the table below say the same.`,
    months,
    content: html`${yearLines(axis, moment, YEARS)} ${valuePanel(chart)}
    ${months.length === 0 ? '' : netPanel(chart)} ${rail(chart)}`,
  });
}

/** Cash value so far against the plan, and the due part of the plan; after the month of the snapshot there is the plan alone. */
function valuePanel({ axis: { shape, first, length, x }, plan, months, here }: Drawn): Html {
  const came = months.map((each) => ({ month: each.month, level: dollars(each.cumulative_cash_cents) }));
  const planned = (plan?.months ?? [])
    .filter(({ month }) => month < addMonths(first, length))
    .map(({ month, value_cents }) => ({ month, level: dollars(value_cents) }));
  const y = scaleOf([0, Math.max(1, ...[...came, ...planned].map(({ level }) => level))], VALUE);
  const [end, plan_end, due] = [came.at(-1), planned.at(-1), plan?.due ?? null];
  const due_y = due === null ? null : y(dollars(due.value_cents));
  const came_y = end === undefined ? 0 : y(end.level);
  const goes_on = plan_end !== undefined && plan_end.month > here;
  const arrived_below = due_y !== null && Math.abs(came_y - due_y) < 2 * LABEL_HEIGHT;
  return html`${amountAxis(shape, y, (value) => value)}
    <text x="${shape.left}" y="${VALUE.top - 10}">Cash value so far</text>
    <path class="year" d="M${x(here)} ${VALUE.top}V${RAIL}" />
    ${goes_on && shape.hasEndWords && x(here) < shape.width - shape.right - 100 ? html`<text x="${x(here) + 6}" y="${VALUE.top - 10}">after the snapshot: plan only →</text>` : ''}
    <path class="planned" d="${lineOf(planned, x, y)}" />
    <path class="came" d="${lineOf(came, x, y)}" />
    ${
      due === null || due_y === null
        ? ''
        : html`<circle class="ring" cx="${x(due.month)}" cy="${round(due_y)}" r="4" />
            ${label(shape, x(due.month), due_y - 8, `due by now ${axisDollars(dollars(due.value_cents))}`)}`
    }
    ${
      end === undefined
        ? ''
        : html`<circle class="came-dot" cx="${x(end.month)}" cy="${round(came_y)}" r="4" />
            ${label(shape, x(end.month), came_y + (arrived_below ? LABEL_HEIGHT + 3 : -8), `arrived ${axisDollars(end.level)}`)}`
    }
    ${
      shape.hasEndWords && goes_on
        ? html`<text x="${shape.width - shape.right + 8}" y="${round(y(plan_end.level) - 2)}">plan to</text>
            <text x="${shape.width - shape.right + 8}" y="${round(y(plan_end.level) + 13)}"
              >${shownMonth(plan_end.month)}</text
            >`
        : ''
    }`;
}

/** Cash value less cost so far, the planned month of break-even, and the month since which it is paid back. */
function netPanel({ axis: { shape, first, length, x }, plan, months, paid_back }: Drawn): Html | '' {
  const nets = months.map(({ month, cumulative_net_cents }) => ({
    month,
    level: dollars(cumulative_net_cents),
  }));
  const levels = nets.map(({ level }) => level);
  const y = scaleOf([Math.min(0, ...levels), Math.max(0, ...levels)], NET);
  const [start, end] = [nets[0], nets.at(-1)];
  if (start === undefined || end === undefined) return '';
  const break_even = plan?.break_even ?? null;
  const zero = round(y(0));
  const ring = nets.find(({ month }) => month === paid_back);
  return html`${amountAxis(shape, y, (value) => value)}
    <text x="${shape.left}" y="${NET.top - 10}">Net so far: cash value less cost</text>
    <path
      class="ground"
      d="M${x(start.month)} ${zero}${lineOf(nets, x, y).replace('M', 'L')}L${x(end.month)} ${zero}Z"
    />
    <path class="line" d="${lineOf(nets, x, y)}" />
    ${
      break_even !== null && break_even < addMonths(first, length)
        ? html`<path class="planned" d="M${x(break_even)} ${NET.top}V${NET.top + NET.height}" />
            <text x="${x(break_even) + 4}" y="${NET.top + 12}">planned ${shownMonth(break_even)}</text>`
        : ''
    }
    ${
      ring === undefined
        ? ''
        : html`<circle class="ring" cx="${x(ring.month)}" cy="${round(y(ring.level))}" r="5" />
            ${label(shape, x(ring.month), zero + 18, `paid back ${shownMonth(ring.month)}`)}`
    }
    <circle class="dot" cx="${x(end.month)}" cy="${round(y(end.level))}" r="3.5" />
    ${shape.hasEndWords ? html`<text class="strong" x="${x(end.month) + 9}" y="${round(y(end.level) + 4)}">${axisDollars(end.level)} now</text>` : ''}`;
}

function lineOf(points: readonly Point[], x: (month: Day) => number, y: (level: number) => number): string {
  if (points.length === 0) return '';
  return `M${points.map(({ month, level }) => `${x(month)} ${round(y(level))}`).join('L')}`;
}

/** Words at a point: at its left in the right half of a drawing, so that they stay inside. */
function label(shape: Shape, x: number, y: number, words: string): Html {
  const isRight = x > shape.width / 2;
  return html`<text class="strong${isRight ? ' end' : ''}" x="${x + (isRight ? -7 : 7)}" y="${round(y)}"
    >${words}</text
  >`;
}

/** Decisions by number on a line; several in a month stand one below the other. */
function rail({ axis: { shape, first, length, band, x }, decided }: Drawn): Html | '' {
  const inside = decided.map((day) => day >= first && day < addMonths(first, length));
  if (!inside.includes(true)) return '';
  const places = decided.map((day) => x(firstOfMonth(day)) + (Number(day.slice(8)) / 31 - 0.5) * band);
  return html`<path class="zero" d="M${shape.left} ${RAIL}H${shape.width - shape.right}" />
    <text class="end" x="${shape.left - 8}" y="${RAIL + 4}">Decided</text>
    ${decided.map((_, place) => {
      if (inside[place] !== true) return '';
      const at = round(places[place] ?? 0);
      const above = places.slice(0, place).filter((other) => Math.abs(other - at) < STACK_STEP).length;
      const y = RAIL + STACK_STEP * (above % MAX_STACKED);
      return html`<circle class="ring" cx="${at}" cy="${y}" r="8" />
        <text class="strong middle" x="${at}" y="${y + 4}">${place + 1}</text>`;
    })}`;
}
