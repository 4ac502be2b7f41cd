/** The section of a snapshot's tables: rows, difference from the snapshot before, trend and size. */
import { html } from 'hono/html';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import { shownCount, shownSize } from '../../format.ts';
import type { Html } from '../frame/site-layout.ts';
import { pageTable } from '../frame/page-table.ts';
import { rowsOver, rowTrend } from './row-trend.ts';
import { shownDifference } from '../frame/shown-values.ts';

/** A row for each table; `listed` has all readable snapshots. A column that would be empty is left out. */
export function tablesSection(
  { snapshot_id, tables }: ReadableSnapshot,
  before: ReadableSnapshot | undefined,
  listed: readonly ReadableSnapshot[],
) {
  // The page of a snapshot tells nothing of later ones.
  const known = listed.filter((each) => each.snapshot_id <= snapshot_id);
  const lines = tables.map(({ name }) => rowTrend(rowsOver(known, name, snapshot_id)));
  const hasLines = lines.some((line) => line !== '');
  return html`<h2 id="tables">Tables</h2>
    <p>Each leads to its rows. <a href="../tables">What the tables and their columns mean</a></p>
    ${pageTable(
      'Tables',
      [
        'Table',
        { number: 'Rows' },
        ...(before === undefined ? [] : [{ number: 'Since the one before' }]),
        ...(hasLines ? ['Rows over the kept snapshots'] : []),
        { number: 'Size' },
      ],
      tables.map(
        ({ name, row_count, size_bytes }, index) =>
          html`<tr>
            <th scope="row"><a href="${snapshot_id}/tables/${name}">${name}</a></th>
            <td class="number" data-column="Rows">${shownCount(row_count)}</td>
            ${before === undefined ? '' : html`<td class="number" data-column="Since the one before">${moreThan(before, name, row_count)}</td>`}
            ${hasLines ? html`<td data-column="Rows over the kept snapshots">${lines[index]}</td>` : ''}
            <td class="number" data-column="Size">${shownSize(size_bytes)}</td>
          </tr>`,
      ),
    )}`;
}

/** The difference in rows; nothing without an earlier snapshot that has the table. */
function moreThan(before: ReadableSnapshot, table: string, rows: number): Html | '' {
  const earlier = before.tables.find(({ name }) => name === table);
  if (earlier === undefined) return '';
  const more = rows - earlier.row_count;
  return html`<span class="${more === 0 ? 'quiet' : ''}">${shownDifference(more)}</span>`;
}
