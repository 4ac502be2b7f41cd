/** The section of the portfolio's totals by window, as the audit computed them from the files. */
import { html } from 'hono/html';
import { cash, cents } from '../../figures/cents.ts';
import type { LeftOutAmounts } from '../../figures/left-out.ts';
import { liveRoi } from '../../figures/roi.ts';
import type { AuditFile } from './audit-file.ts';
import { leftOutNote } from './left-out-note.ts';
import { pageTable } from '../frame/page-table.ts';
import { shownDollars, shownRoi, shownWindow } from '../frame/shown-values.ts';

/** A window of the portfolio is named by its key alone; a window of an initiative also names the initiative. */
const OF_PORTFOLIO = /^\S+$/;
/** A quarter of a fiscal year, shown indented below its year. */
const QUARTER = /-q[1-4]$/;
const CENTS = /^-?\d+$/;
/** The first figures of a window. The audit lists more. */
const FIGURES = ['Cash value', 'Freed capacity', 'Cost', 'Net value'] as const;

/** A table of dollars; a sentence instead if the audit lists no window. */
export function totalsSection(audit: AuditFile | null, left_out: LeftOutAmounts | null) {
  const windows = audit?.windows.filter(({ place }) => OF_PORTFOLIO.test(place)) ?? [];
  const table = pageTable(
    'Totals by window',
    ['Window', ...FIGURES.map((number) => ({ number })), { number: 'ROI' }],
    windows.map(({ place, found }) => row(place, found.split(' '))),
  );
  return html`<h2 id="totals">Totals by window</h2>
    <p>
      Of the whole portfolio, in US dollars. Two engines agree on each to the cent;
      <a href="../docs/periods-and-windows">what a window is</a>.
    </p>
    ${leftOutNote(left_out, '../')}
    ${windows.length === 0 ? html`<p>The report of this audit lists no window.</p>` : table}`;
}

function row(window: string, figures: readonly string[]) {
  const [cash_value = null, , cost = null] = figures.map((text) => (CENTS.test(text) ? BigInt(text) : null));
  const roi = cash_value === null || cost === null ? '–' : shownRoi(liveRoi(cash(cash_value), cents(cost)));
  return html`<tr class="${QUARTER.test(window) ? 'part' : 'sum'}">
    <th scope="row">${shownWindow(window)}</th>
    ${FIGURES.map((name, index) => html`<td class="number" data-column="${name}">${dollars(figures[index] ?? '')}</td>`)}
    <td class="number" data-column="ROI">${roi}</td>
  </tr>`;
}

function dollars(text: string): string {
  return CENTS.test(text) ? shownDollars(BigInt(text)) : '–';
}
