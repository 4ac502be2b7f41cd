/** A table's number of rows over the kept snapshots, as a line small enough for a table cell. */
import { html } from 'hono/html';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import { shownCount } from '../../format.ts';
import type { Html } from '../frame/site-layout.ts';

const WIDTH = 144;
const HEIGHT = 24;
/** Keeps the dot at the end of the line inside the picture. */
const MARGIN = 4;
const DOT = 2.75;

export interface RowsOver {
  /** Rows by snapshot, oldest first, without snapshots that were built before the table existed. */
  readonly rows: readonly number[];
  /** The index of the shown snapshot among them; −1 if it is not among them. */
  readonly here: number;
}

/** A table's number of rows in each of these snapshots. */
export function rowsOver(
  snapshots: readonly ReadableSnapshot[],
  table: string,
  snapshot_id: string,
): RowsOver {
  const counted = snapshots
    .toSorted((a, b) => (a.snapshot_id < b.snapshot_id ? -1 : 1))
    .flatMap((each) => {
      const rows = each.tables.find(({ name }) => name === table)?.row_count;
      return rows === undefined ? [] : [{ rows, snapshot_id: each.snapshot_id }];
    });
  return {
    rows: counted.map(({ rows }) => rows),
    here: counted.findIndex((each) => each.snapshot_id === snapshot_id),
  };
}

/** The line with a dot for the shown snapshot, and a text for screen readers; nothing for a number that does not move. */
export function rowTrend({ rows, here }: RowsOver): Html | '' {
  if (new Set(rows).size < 2) return '';
  const [first = 0, last = 0] = [rows[0], rows.at(-1)];
  const words = `${shownCount(first)} to ${shownCount(last)} rows over ${rows.length} snapshots`;
  const points = trendPoints(rows);
  const ground = `${MARGIN},${HEIGHT} ${points.join(' ')} ${WIDTH - MARGIN},${HEIGHT}`;
  return html`<svg class="trend" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${words}">
    <title>${words}</title>
    <polygon points="${ground}" />
    <polyline points="${points.join(' ')}" />
    ${dotAt(points[here])}
  </svg>`;
}

function dotAt(point: string | undefined): Html | '' {
  if (point === undefined) return '';
  const [x = '', y = ''] = point.split(',');
  return html`<circle cx="${x}" cy="${y}" r="${DOT}" />`;
}

/** The points of the line: from edge to edge, the maximum at the top. */
export function trendPoints(rows: readonly number[]): readonly string[] {
  const [least, most] = [Math.min(...rows), Math.max(...rows)];
  return rows.map((count, index) => {
    const share = (count - least) / (most - least);
    const x = MARGIN + (index / (rows.length - 1)) * (WIDTH - 2 * MARGIN);
    const y = HEIGHT - MARGIN - share * (HEIGHT - 2 * MARGIN);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
}
