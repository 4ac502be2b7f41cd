/** The section of a page about a snapshot's audit: the checks and their results. */
import { html } from 'hono/html';
import { shownCount } from '../../format.ts';
import type { AuditFile } from './audit-file.ts';
import { pageTable } from '../frame/page-table.ts';
import { checksPassed } from './audit-of.ts';

/** Each check; a sentence instead if there is no report. */
export function auditSection(audit: AuditFile | null) {
  if (audit === null) {
    return html`<h2 id="audit">Audit</h2>
      <p>This snapshot has no audit report that this program can read.</p>`;
  }
  return html`<h2 id="audit">Audit</h2>
    <p>
      ${checksPassed(audit)} checks passed, by ${audit.engine}, over the very files that are served.
      <a href="../docs/verify-a-snapshot">How to run it yourself</a>.
    </p>
    <details>
      <summary>All ${audit.checks.length} checks</summary>
      ${pageTable(
        'Checks',
        ['Check', { number: 'Rows examined' }, 'Result'],
        audit.checks.map(
          ({ name, rows_examined, passed }) =>
            html`<tr>
              <th scope="row">${name}</th>
              <td class="number">${shownCount(rows_examined)}</td>
              <td>
                ${passed ? html`<strong class="good">passed</strong>` : html`<strong class="bad">refused</strong>`}
              </td>
            </tr>`,
        ),
      )}
    </details>`;
}
