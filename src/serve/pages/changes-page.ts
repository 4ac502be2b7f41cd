/** The page of what changed from one snapshot to the next: rows of each table, and why totals moved. */
import { html } from 'hono/html';
import type { Change } from '../../diff/change.ts';
import type { SnapshotDiff } from '../../diff/kept-diffs.ts';
import { REASONS } from '../../diff/reasons.ts';
import { shownCount, shownDollars } from './shown-values.ts';

/** A portfolio has some dozens of windows; beyond these the API tells. */
const MOST_WINDOWS = 100;
const TOTALS = 'reported_totals';

interface Changes {
  readonly from: string;
  readonly to: string;
  readonly tables: SnapshotDiff['tables'];
  /** The windows of the portfolio that moved, as far as they were read. */
  readonly totals: readonly Change[];
}

/** Reads what the page shows: the portfolio stands before its initiatives. */
export async function readChanges(diff: SnapshotDiff): Promise<Pick<Changes, 'tables' | 'totals'>> {
  const { changes } = await diff.page(0, MOST_WINDOWS, TOTALS);
  return { tables: diff.tables, totals: changes.filter(({ key }) => key['scope'] === 'portfolio') };
}

/** The text of the page. */
export function changesBody({ from, to, tables, totals }: Changes) {
  const touched = tables.filter(({ added, removed, changed }) => added + removed + changed > 0);
  return html`<h1>What changed</h1>
    <p class="lead">
      From <a href="../${from}">${from}</a> to <a href="../${to}">${to}</a>;
      <a href="../../docs/what-changed">how to read this</a>.
    </p>
    <h2 id="rows">Rows</h2>
    ${touched.length === 0 ? html`<p>No row of any table differs.</p>` : rowsTable(touched)}
    <h2 id="totals">Totals of the portfolio</h2>
    ${
      totals.some(({ moved }) => moved.length > 0)
        ? totals.map(movesOf)
        : html`<p>No total of the portfolio moved.</p>`
    }`;
}

function rowsTable(tables: SnapshotDiff['tables']) {
  return html`<div class="wide" tabindex="0" role="region" aria-label="Rows that changed">
    <table>
      <thead>
        <tr>
          <th scope="col">Table</th>
          <th scope="col" class="number">Added</th>
          <th scope="col" class="number">Removed</th>
          <th scope="col" class="number">Changed</th>
        </tr>
      </thead>
      <tbody>
        ${tables.map(
          ({ name, added, removed, changed }) =>
            html`<tr>
              <th scope="row">${name}</th>
              ${[added, removed, changed].map((count) => html`<td class="number">${shownCount(count)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function movesOf({ key, moved }: Change) {
  if (moved.length === 0) return '';
  return html`<h3>${key['window_key']}</h3>
    <ul>
      ${moved.map(
        ({ figure, before_cents, after_cents, because }) =>
          html`<li>
            ${figure.replace(/_cents$/, '').replaceAll('_', ' ')}: from ${dollars(before_cents)} to
            <strong>${dollars(after_cents)}</strong>
            <ul>
              ${because.map(
                ({ reason, cents, entries }) =>
                  html`<li>
                    ${dollars(cents)} by ${shownCount(entries)} ${entries === 1 ? 'entry' : 'entries'}:
                    ${REASONS[reason]}
                  </li>`,
              )}
            </ul>
          </li>`,
      )}
    </ul>`;
}

// An amount of the API is a whole number of cents.
function dollars(cents: number): string {
  return shownDollars(BigInt(cents));
}
