/** The page of changes between two snapshots: rows of each table, and why totals moved. */
import { html } from 'hono/html';
import type { Change } from '../../diff/change.ts';
import type { SnapshotDiff } from '../../diff/diff-cache.ts';
import { readMovedTotals } from '../../diff/moved-totals.ts';
import { REASONS } from '../../diff/reasons.ts';
import { shownCount } from '../../format.ts';
import type { Html } from '../frame/site-layout.ts';
import { pageTable } from '../frame/page-table.ts';
import { shownDollars, shownDollarDifference, shownWindow } from '../frame/shown-values.ts';

interface Changes {
  readonly from: string;
  readonly to: string;
  readonly tables: SnapshotDiff['tables'];
  /** Each window of the portfolio in which a total changed. */
  readonly totals: readonly Change[];
  /** Says why the totals moved. It stands above the counts of rows. */
  readonly why?: Html;
  /** The address of the changed rows of a table as CSV. */
  readonly csvOf?: (table: string) => string;
}

/** Reads the content of the page: the counts of all tables, and the totals of the portfolio without those of initiatives. */
export async function readChanges(diff: SnapshotDiff): Promise<Pick<Changes, 'tables' | 'totals'>> {
  const totals = await readMovedTotals(diff, null);
  return { tables: diff.tables, totals: totals.filter(({ moved }) => moved.length > 0) };
}

/** The body of the page. */
export function changesBody({ from, to, tables, totals, why, csvOf }: Changes) {
  const touched = tables.filter(({ added, removed, changed }) => added + removed + changed > 0);
  return html`<h1>What changed</h1>
    <p class="lead">
      From <a href="../${from}">${from}</a> to <a href="../${to}">${to}</a>;
      <a href="../../docs/what-changed">how to read this</a>.
    </p>
    ${why ?? ''}
    <h2 id="rows">Rows</h2>
    ${touched.length === 0 ? html`<p>No row of any table differs.</p>` : html`${rowsTable(touched)} ${csvOf === undefined ? '' : downloads(touched, csvOf)}`}
    <h2 id="totals">Totals of the portfolio</h2>
    ${
      totals.length === 0
        ? html`<p>No total of the portfolio moved.</p>`
        : totals.map((change, index) => windowOf(change, index === 0))
    }`;
}

function rowsTable(tables: SnapshotDiff['tables']) {
  return pageTable(
    'Rows that changed',
    ['Table', { number: 'Added' }, { number: 'Removed' }, { number: 'Changed' }],
    tables.map(
      ({ name, added, removed, changed }) =>
        html`<tr>
          <th scope="row"><a href="../../tables/${name}">${name}</a></th>
          ${Object.entries({ Added: added, Removed: removed, Changed: changed }).map(
            ([column, count]) => html`<td class="number" data-column="${column}">${shownCount(count)}</td>`,
          )}
        </tr>`,
    ),
  );
}

function downloads(tables: SnapshotDiff['tables'], csvOf: (table: string) => string): Html {
  return html`<p class="quiet">
    Every changed row as CSV, each column before and after:
    ${tables.map(
      ({ name }, index) => html`${index === 0 ? '' : ', '}<a download href="${csvOf(name)}">${name}</a>`,
    )}.
  </p>`;
}

/** A window in one line, with details that open. */
function windowOf({ key, moved }: Change, open: boolean) {
  const [summary] = moved.filter(({ figure }) => figure === 'net_value_cents');
  const net =
    summary === undefined
      ? 'net value unchanged'
      : `net value ${signedDollars(summary.after_cents - summary.before_cents)}`;
  const window = shownWindow(String(key['window_key']));
  const table = pageTable(
    `Totals of ${window}`,
    ['Figure', { number: 'Before' }, { number: 'After' }, { number: 'Moved by' }, 'Because'],
    moved.map(moveRow),
  );
  return html`<details ${open ? 'open' : ''}>
    <summary>${window} <span>${net}</span></summary>
    ${table}
  </details>`;
}

function moveRow({ figure, before_cents, after_cents, because }: Change['moved'][number]) {
  return html`<tr>
    <th scope="row">${figure.replace(/_cents$/, '').replaceAll('_', ' ')}</th>
    <td class="number" data-column="Before">${shownDollars(BigInt(before_cents))}</td>
    <td class="number" data-column="After"><strong>${shownDollars(BigInt(after_cents))}</strong></td>
    <td class="number" data-column="Moved by">
      ${signedDollars(BigInt(after_cents) - BigInt(before_cents))}
    </td>
    <td class="words" data-column="Because">
      <ul>
        ${because.map(
          ({ reason, cents, entries }) =>
            html`<li>
              ${signedDollars(cents)} by ${shownCount(entries)} ${entries === 1 ? 'entry' : 'entries'}:
              ${REASONS[reason]}
            </li>`,
        )}
      </ul>
    </td>
  </tr>`;
}

// In a comparison read from JSON, cents are numbers without a fraction, so `BigInt` accepts them.
function signedDollars(cents: number | bigint): string {
  return shownDollarDifference(BigInt(cents));
}
