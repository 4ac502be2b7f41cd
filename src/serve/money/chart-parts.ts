/** What the drawings of months share: measures for a wide and a narrow screen, scales, axes, months and fiscal years. */
import { type ScaleLinear, scaleLinear } from 'd3-scale';
import { html } from 'hono/html';
import { addMonths, type Day, monthNumber } from '../../figures/calendar.ts';
import { shownMonth } from '../frame/shown-values.ts';
import { type FiscalMoment, nearbyWindows } from '../../figures/windows.ts';
import type { Html } from '../frame/site-layout.ts';

/**
 * A drawing's measures in pixels. A wide, a middle and a narrow screen get a drawing each; the style shows one, and its
 * text is never seen below 11 pixels.
 */
export interface Shape {
  readonly name: 'wide' | 'middle' | 'narrow';
  readonly width: number;
  readonly left: number;
  readonly right: number;
  /** Whether there is room for words at the right of the last month. */
  readonly hasEndWords: boolean;
}

export const SHAPES: readonly Shape[] = [
  { name: 'wide', width: 1120, left: 72, right: 92, hasEndWords: true },
  { name: 'middle', width: 700, left: 72, right: 88, hasEndWords: true },
  { name: 'narrow', width: 358, left: 52, right: 6, hasEndWords: false },
];
const TICKS = 4;
/** The width that a fiscal year's name with its first month needs beside another, the width of these words, and of the name alone. */
const YEAR_LABEL = 150;
const YEAR_WORDS = 150;
const YEAR_NAME = 48;
const NO_DECIMALS = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const SMALL = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const AXIS = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** The months of a drawing, side by side. */
export interface MonthAxis {
  readonly shape: Shape;
  readonly first: Day;
  readonly length: number;
  /** The width of a month. */
  readonly band: number;
  /** The middle of a month. */
  readonly x: (month: Day) => number;
}

export function monthAxis(shape: Shape, first: Day, length: number): MonthAxis {
  const band = (shape.width - shape.left - shape.right) / length;
  const index = (month: Day): number => monthNumber(month) - monthNumber(first);
  return { shape, first, length, band, x: (month) => round(shape.left + (index(month) + 0.5) * band) };
}

/** A dashed line at the start of each fiscal year, with its name beneath. A year that began before the first month has no line. */
export function yearLines(
  { shape, first, length, band, x }: MonthAxis,
  moment: FiscalMoment,
  { top, height, names }: Panel & { readonly names: number },
): readonly Html[] {
  const years = Array.from({ length }, (_, index) => addMonths(first, index)).map((month) => ({
    month,
    year: nearbyWindows({ ...moment, as_of: month }).year,
  }));
  const next = years.findIndex(({ month, year }) => year.from_date === month);
  // The name of the first year would run into that of the second if this begins soon.
  const hasRoom = next <= 0 || next * band >= YEAR_LABEL;
  return years.flatMap(({ month, year: { from_date, window_label } }) => {
    const begins = from_date === month;
    if (!begins && (month !== first || !hasRoom)) return [];
    const at = round(x(month) - band / 2);
    const isWide = shape.hasEndWords && band * 12 > YEAR_LABEL && at + YEAR_WORDS <= shape.width;
    const from = isWide ? ` from ${shownMonth(from_date)}` : '';
    const name = html`<text x="${round(at + 3)}" y="${names}"
      ><tspan class="strong">${window_label}</tspan>${from}</text
    >`;
    return [
      html`${begins ? html`<path class="year" d="M${at} ${top}V${top + height}" />` : ''}${at > shape.width - YEAR_NAME ? '' : name}`,
    ];
  });
}

interface Drawing {
  readonly axis: MonthAxis;
  /** The beginning of the ids of its title and text. */
  readonly id: string;
  readonly height: number;
  readonly title: string;
  readonly text: Html | string;
  /** The months of the rows in the table below. */
  readonly months: readonly { readonly month: Day }[];
  readonly content: Html;
}

/** One drawing. The table below it has every figure, so a screen reader hears the title and the text. */
export function drawing({ axis: { shape, x }, id, height, title, text, months, content }: Drawing): Html {
  const own = `${id}-${shape.name}`;
  return html`<svg
    class="chart ${shape.name}"
    viewBox="0 0 ${shape.width} ${height}"
    ${pointPlaces(
      shape,
      months.map(({ month }) => x(month)),
    )}
    role="img"
    aria-labelledby="${own}-title ${own}-text"
  >
    <title id="${own}-title">${title}</title>
    <desc id="${own}-text">${text}</desc>
    ${content}
  </svg>`;
}

/**
 * Where the points of a drawing lie, for the script that shows the figures of one of them: each has a row in the table
 * behind the drawing, in this order.
 */
export function pointPlaces({ width }: Pick<Shape, 'width'>, points: readonly number[]): Html {
  return html`data-width="${width}" data-points="${points.join(' ')}"`;
}

export interface Panel {
  readonly top: number;
  readonly height: number;
}

/** True if a month has another cumulative net than zero: a line of zeros alone is not drawn. */
export function hasNet(months: readonly { readonly cumulative_net_cents: bigint }[]): boolean {
  return months.some(({ cumulative_net_cents }) => cumulative_net_cents !== 0n);
}

/** A scale from amounts to pixels; without an amount in it there is still a zero line. */
export function scaleOf(
  [least, greatest]: readonly [number, number],
  { top, height }: Panel,
): ScaleLinear<number, number> {
  const end = least === greatest ? least + 1 : greatest;
  return scaleLinear([least, end], [top + height, top]).nice(TICKS);
}

/** Grid lines with amounts at the left; `shown` makes the amount of a label from that of the scale. */
export function amountAxis(
  shape: Shape,
  y: ScaleLinear<number, number>,
  shown: (value: number) => number,
  currency = 'USD',
): readonly Html[] {
  return y.ticks(TICKS).map((value) => {
    const at = round(y(value));
    return html`<path
        class="${value === 0 ? 'zero' : 'grid'}"
        d="M${shape.left} ${at}H${shape.width - shape.right}"
      />
      <text class="end" x="${shape.left - 8}" y="${at + 4}">${axisAmount(shown(value), currency)}</text>`;
  });
}

/** Dollars on an axis or at a line's end: short, because the exact figure stands in the table. */
export function axisDollars(value: number): string {
  const size = Math.abs(value);
  const words = size >= 1_000_000 ? AXIS.format(size) : (size < 10 ? SMALL : NO_DECIMALS).format(size);
  return `${value < 0 && words !== '0' ? '−' : ''}$${words}`;
}

/** An amount on an axis: without its currency where this is not the dollar, because the words above the axis name it. */
export function axisAmount(value: number, currency: string): string {
  return currency === 'USD' ? axisDollars(value) : axisDollars(value).replace('$', '');
}

/** Whole cents below 2^53 as dollars, for a place in a drawing. */
export function dollars(cents: bigint): number {
  return Number(cents) / 100;
}

export function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
