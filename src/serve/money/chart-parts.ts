/** What the drawings of months share: measures for a wide and a narrow screen, scales, axes, and names of months. */
import { type ScaleLinear, scaleLinear } from 'd3-scale';
import { html } from 'hono/html';
import type { Day } from '../../figures/calendar.ts';
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
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const SMALL = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const AXIS = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** `Nov 2026` for the first day of a month. */
export function shownMonth(month: Day): string {
  return `${MONTHS[Number(month.slice(5, 7)) - 1] ?? ''} ${month.slice(0, 4)}`;
}

/**
 * Where the points of a drawing lie, for the script that shows the figures of one of them: each has a row in the table
 * behind the drawing, in this order.
 */
export function pointPlaces({ width }: Pick<Shape, 'width'>, points: readonly number[]): Html {
  return html`data-width="${width}" data-points="${points.join(' ')}"`;
}

interface Panel {
  readonly top: number;
  readonly height: number;
}

/** A scale from amounts to pixels; a panel without any amount still has a zero line. */
export function scaleOf(
  [least, greatest]: readonly [number, number],
  { top, height }: Panel,
): ScaleLinear<number, number> {
  const end = least === greatest ? least + 1 : greatest;
  return scaleLinear([least, end], [top + height, top]).nice(TICKS);
}

/** Grid lines with amounts at the left; `shown` makes the amount of a label from that of the scale. */
export function axis(
  shape: Shape,
  y: ScaleLinear<number, number>,
  shown: (value: number) => number,
): readonly Html[] {
  return y.ticks(TICKS).map((value) => {
    const at = round(y(value));
    return html`<path
        class="${value === 0 ? 'zero' : 'grid'}"
        d="M${shape.left} ${at}H${shape.width - shape.right}"
      />
      <text class="end" x="${shape.left - 8}" y="${at + 4}">${axisDollars(shown(value))}</text>`;
  });
}

/** Dollars on an axis or at a line's end: short, because the exact figure stands in the table. */
export function axisDollars(value: number): string {
  const size = Math.abs(value);
  const words = size >= 1_000_000 ? AXIS.format(size) : (size < 10 ? SMALL : WHOLE).format(size);
  return `${value < 0 && words !== '0' ? '−' : ''}$${words}`;
}

/** Whole cents below 2^53 as dollars, for a place in a drawing. */
export function dollars(cents: bigint): number {
  return Number(cents) / 100;
}

export function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
