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
  axisAmount,
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

/** Above each panel stand its words. */
const TOP = 24;
const VALUE_HEIGHT = 170;
const NET_HEIGHT = 110;
/** From the end of a panel to the next one, and to the line of decisions. */
const NEXT_PANEL = 46;
const TO_RAIL = 32;
/** Several decisions of one month stand one below the other, up to this many. */
const MAX_STACKED_DECISIONS = 4;
const STACK_STEP = 17;
/** Below the last panel or decision stand the names of the fiscal years. */
const FOOT = 33;
/** The width of the words above the panel of net, and of those that say when break-even was planned. */
const PANEL_WORDS = 190;
const PLANNED_WORDS = 104;
/** Two labels with less between their lines run into each other. */
const LABEL_HEIGHT = 15;
/** Ten years. */
const MAX_MONTHS = 120;

export interface PlanChart {
  /** Up to the month of the snapshot. */
  readonly months: readonly MonthFigures[];
  readonly plan: PlanPath | null;
  /** For a plan in another currency than dollars: the cash value so far in that currency. Null: that of `months`. */
  readonly arrived: {
    readonly currency: string;
    readonly months: readonly { readonly month: Day; readonly cash_cents: bigint }[];
  } | null;
  readonly moment: FiscalMoment;
  readonly paid_back: Day | null;
  /** Days of decisions, numbered from 1 in this order. */
  readonly decided: readonly Day[];
}

/** True if cash value came back or is planned; otherwise the page says so, and draws no line of zeros. */
export function hasCash({ months, plan }: Pick<PlanChart, 'months' | 'plan'>): boolean {
  return (
    months.some(({ cumulative_cash_cents }) => cumulative_cash_cents !== 0n) ||
    (plan?.months ?? []).some(({ value_cents }) => value_cents !== 0n)
  );
}

/** The drawings; nothing for fewer than two months, or without any amount. */
export function planChart(chart: PlanChart): Html | '' {
  const { months, plan, moment, decided } = chart;
  if (!hasCash(chart) && !hasNet(months)) return '';
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

/** The places of the panels that have something to show, one below the other. */
interface Layout {
  readonly value: Panel | null;
  readonly net: Panel | null;
  /** The line of decisions; below all panels if there is none. */
  readonly rail: number;
  /** How many decisions stand one below the other at most. */
  readonly stacked: number;
}

interface Placed extends Drawn {
  readonly layout: Layout;
}

function layoutOf(chart: Drawn): Layout {
  const value = hasCash(chart) ? { top: TOP, height: VALUE_HEIGHT } : null;
  const net_top = value === null ? TOP : value.top + value.height + NEXT_PANEL;
  const net = hasNet(chart.months) ? { top: net_top, height: NET_HEIGHT } : null;
  const end = net ?? value;
  const stacked = Math.max(0, ...decisionPlaces(chart).map(({ row }) => row + 1));
  return { value, net, rail: (end?.top ?? 0) + (end?.height ?? 0) + TO_RAIL, stacked };
}

interface Point {
  readonly month: Day;
  readonly level: number;
}

function drawn(of: Drawn): Html {
  const { axis, months, moment } = of;
  const { first, length } = axis;
  const layout = layoutOf(of);
  const chart = { ...of, layout };
  const end = layout.rail + Math.max(layout.stacked - 1, 0) * STACK_STEP;
  const height = (layout.stacked === 0 ? layout.rail - TO_RAIL : end) + FOOT;
  const years = { top: TOP, height: height - FOOT + 9 - TOP, names: height - 8 };
  return drawing({
    axis,
    id: 'plan',
    height,
    title: 'Plan and actual: cash value so far, and net so far',
    text: `From ${shownMonth(first)} to ${shownMonth(addMonths(first, length - 1))}. The figures above and the table below say the same.`,
    months,
    content: html`${yearLines(axis, moment, years)} ${hereLine(chart)} ${valuePanel(chart)} ${netPanel(chart)}
    ${rail(chart)}`,
  });
}

/** A dashed line at the month of the snapshot. */
function hereLine({ axis: { x }, here, layout: { rail: end } }: Placed): Html {
  return html`<path class="year" d="M${x(here)} ${TOP}V${end}" />`;
}

/** Cash value so far against the plan, and the due part of the plan; after the month of the snapshot there is the plan alone. */
function valuePanel({
  axis: { shape, first, length, x },
  plan,
  months,
  arrived,
  here,
  layout: { value },
}: Placed): Html | '' {
  if (value === null) return '';
  const came = months.map(({ month, cumulative_cash_cents }) => ({
    month,
    level: dollars(
      arrived === null
        ? cumulative_cash_cents
        : (arrived.months.findLast((each) => each.month <= month)?.cash_cents ?? 0n),
    ),
  }));
  const currency = arrived?.currency ?? 'USD';
  const planned = (plan?.months ?? [])
    .filter(({ month }) => month < addMonths(first, length))
    .map(({ month, value_cents }) => ({ month, level: dollars(value_cents) }));
  const levels = [...came, ...planned].map(({ level }) => level);
  const y = scaleOf([Math.min(0, ...levels), Math.max(0, ...levels)], value);
  const [end, plan_end, due] = [came.at(-1), planned.at(-1), plan?.due ?? null];
  const due_y = due === null ? null : y(dollars(due.value_cents));
  const came_y = end === undefined ? 0 : y(end.level);
  const goes_on = plan_end !== undefined && plan_end.month > here;
  const arrived_below = due_y !== null && Math.abs(came_y - due_y) < 2 * LABEL_HEIGHT;
  return html`${amountAxis(shape, y, (amount) => amount, currency)}
    <text x="${shape.left}" y="${value.top - 10}"
      >Cash value so far${arrived === null ? '' : ` in ${arrived.currency}`}</text
    >
    ${goes_on && shape.hasEndWords && x(here) < shape.width - shape.right - 100 ? html`<text x="${x(here) + 6}" y="${value.top - 10}">after the snapshot: plan only →</text>` : ''}
    <path class="planned" d="${lineOf(planned, x, y)}" />
    <path class="came" d="${lineOf(came, x, y)}" />
    ${
      due === null || due_y === null
        ? ''
        : html`<circle class="ring" cx="${x(due.month)}" cy="${round(due_y)}" r="4" />
            ${label(shape, x(due.month), due_y - 8, `due by now ${axisAmount(dollars(due.value_cents), currency)}`)}`
    }
    ${
      end === undefined
        ? ''
        : html`<circle class="came-dot" cx="${x(end.month)}" cy="${round(came_y)}" r="4" />
            ${label(shape, x(end.month), came_y + (arrived_below ? LABEL_HEIGHT + 3 : -8), `arrived ${axisAmount(end.level, currency)}`)}`
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
function netPanel({
  axis: { shape, first, length, x },
  plan,
  months,
  paid_back,
  layout: { net },
}: Placed): Html | '' {
  const nets = months.map(({ month, cumulative_net_cents }) => ({
    month,
    level: dollars(cumulative_net_cents),
  }));
  const levels = nets.map(({ level }) => level);
  const [start, end] = [nets[0], nets.at(-1)];
  if (net === null || start === undefined || end === undefined) return '';
  const y = scaleOf([Math.min(0, ...levels), Math.max(0, ...levels)], net);
  const break_even = plan?.break_even ?? null;
  const zero = round(y(0));
  const ring = nets.find(({ month }) => month === paid_back);
  return html`${amountAxis(shape, y, (value) => value)}
    <text x="${shape.left}" y="${net.top - 10}">Net so far: cash value less cost</text>
    <path
      class="ground"
      d="M${x(start.month)} ${zero}${lineOf(nets, x, y).replace('M', 'L')}L${x(end.month)} ${zero}Z"
    />
    <path class="line" d="${lineOf(nets, x, y)}" />
    ${
      break_even !== null && break_even < addMonths(first, length)
        ? html`<path class="planned" d="M${x(break_even)} ${net.top}V${net.top + net.height}" />
            ${plannedWords(shape, x(break_even), net.top - 10, shownMonth(break_even))}`
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

/** When break-even was planned, above the panel, where no curve runs: right of the panel's own words, and inside the drawing. */
function plannedWords(shape: Shape, x: number, y: number, month: string): Html {
  const at = Math.max(x + 4, shape.left + PANEL_WORDS);
  const isRight = at + PLANNED_WORDS > shape.width;
  return html`<text class="${isRight ? 'end' : ''}" x="${isRight ? shape.width - shape.right : at}" y="${y}"
    >planned ${month}</text
  >`;
}

/** Words at a point: at its left in the right half of a drawing, so that they stay inside. */
function label(shape: Shape, x: number, y: number, words: string): Html {
  const isRight = x > shape.width / 2;
  return html`<text class="strong${isRight ? ' end' : ''}" x="${x + (isRight ? -7 : 7)}" y="${round(y)}"
    >${words}</text
  >`;
}

interface DecisionPlace {
  /** The number on the page, from 1. */
  readonly number: number;
  readonly at: number;
  /** How many decisions stand above it. */
  readonly row: number;
}

/** Where the decisions inside the drawing stand; several in a month stand one below the other. */
function decisionPlaces({ axis: { first, length, band, x }, decided }: Drawn): readonly DecisionPlace[] {
  const centres = decided.map((day) => x(firstOfMonth(day)) + (Number(day.slice(8)) / 31 - 0.5) * band);
  return decided.flatMap((day, index) => {
    if (day < first || day >= addMonths(first, length)) return [];
    const at = round(centres[index] ?? 0);
    const above = centres.slice(0, index).filter((other) => Math.abs(other - at) < STACK_STEP).length;
    return [{ number: index + 1, at, row: above % MAX_STACKED_DECISIONS }];
  });
}

/** Decisions by number on a line; nothing without any inside the drawing. */
function rail(chart: Placed): Html | '' {
  const { shape } = chart.axis;
  const top = chart.layout.rail;
  if (chart.layout.stacked === 0) return '';
  return html`<path class="zero" d="M${shape.left} ${top}H${shape.width - shape.right}" />
    <text class="end" x="${shape.left - 8}" y="${top + 4}">Decided</text>
    ${decisionPlaces(chart).map(({ number, at, row }) => {
      const y = top + STACK_STEP * row;
      return html`<circle class="ring" cx="${at}" cy="${y}" r="8" />
        <text class="strong middle" x="${at}" y="${y + 4}">${number}</text>`;
    })}`;
}
