/** How many rows a table had over the kept snapshots, as a line that is small enough to stand in a cell. */
import { html } from 'hono/html';
import type { ReadableSnapshot } from '../../snapshot/served-manifest.ts';
import type { Html } from '../site/site-layout.ts';
import { shownCount } from './shown-values.ts';

const WIDTH = 144;
const HEIGHT = 24;
/** So that the dot at the end of the line stays inside. */
const MARGIN = 4;
const DOT = 2.75;

/** The rows of a table, the oldest snapshot first; one that was built before the table is left out. */
export function rowsOver(snapshots: readonly ReadableSnapshot[], table: string): readonly number[] {
  const oldestFirst = snapshots.toSorted((a, b) => (a.snapshot_id < b.snapshot_id ? -1 : 1));
  return oldestFirst.flatMap(({ tables }) => tables.find(({ name }) => name === table)?.row_count ?? []);
}

/** The line, and what it shows in words; nothing of less than two snapshots. */
export function rowTrend(rows: readonly number[]): Html | '' {
  if (rows.length < 2) return '';
  const [first = 0, last = 0] = [rows[0], rows.at(-1)];
  const words = `${shownCount(first)} to ${shownCount(last)} rows over ${rows.length} snapshots`;
  const points = trendPoints(rows);
  const [x = '', y = ''] = points.at(-1)?.split(',') ?? [];
  const ground = `${MARGIN},${HEIGHT} ${points.join(' ')} ${WIDTH - MARGIN},${HEIGHT}`;
  const kind = new Set(rows).size === 1 ? 'trend level' : 'trend';
  return html`<svg class="${kind}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${words}">
    <title>${words}</title>
    <polygon points="${ground}" />
    <polyline points="${points.join(' ')}" />
    <circle cx="${x}" cy="${y}" r="${DOT}" />
  </svg>`;
}

/** The corners of the line: from edge to edge, the most rows at the top, and level in the middle if none differ. */
export function trendPoints(rows: readonly number[]): readonly string[] {
  const [least, most] = [Math.min(...rows), Math.max(...rows)];
  return rows.map((count, place) => {
    const share = most === least ? 0.5 : (count - least) / (most - least);
    const x = MARGIN + (place / (rows.length - 1)) * (WIDTH - 2 * MARGIN);
    const y = HEIGHT - MARGIN - share * (HEIGHT - 2 * MARGIN);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
}
