/** The page of all snapshots of an account that may be read. */
import { html } from 'hono/html';
import type { ReadableSnapshot } from '../../snapshot/served-manifest.ts';
import type { AuditFile } from './audit-file.ts';
import { shownAge, shownCount, shownMoment, shownSize } from './shown-values.ts';
import { standingLines } from './standing-notes.ts';

/** A snapshot with the report of its audit; null where there is none to be read. */
export interface Audited {
  readonly snapshot: ReadableSnapshot;
  readonly audit: AuditFile | null;
}

/** The text of the page, newest first as given; `now` in microseconds since 1970. */
export function snapshotsBody(listed: readonly Audited[], now: bigint) {
  const none = html`<p class="note">
    No snapshot of this account is complete yet. <code>crossfoot why</code> tells how far the first one has
    come; <a href="docs/troubleshooting">the documentation tells more</a>.
  </p>`;
  const table = html`<div class="wide" tabindex="0" role="region" aria-label="Snapshots">
    <table>
      <thead>
        <tr>
          <th scope="col">Snapshot</th>
          <th scope="col" class="number">Age</th>
          <th scope="col" class="number">Rows</th>
          <th scope="col" class="number">Size</th>
          <th scope="col">Audit</th>
          <th scope="col">Kept</th>
        </tr>
      </thead>
      <tbody>
        ${listed.map((each) => row(each, now))}
      </tbody>
    </table>
  </div>`;
  return html`<h1>Snapshots</h1>
    <p class="lead">Each is the whole account at one moment, audited before it could be read.</p>
    ${listed.length === 0 ? none : table}`;
}

function row({ snapshot, audit }: Audited, now: bigint) {
  const { snapshot_id, generated_at, tables } = snapshot;
  const rows = tables.reduce((sum, { row_count }) => sum + row_count, 0);
  const bytes = tables.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  return html`<tr>
    <th scope="row">
      <a href="snapshots/${snapshot_id}">${snapshot_id}</a><br />${shownMoment(generated_at)}
    </th>
    <td class="number">${shownAge(generated_at, now)}</td>
    <td class="number">${shownCount(rows)}</td>
    <td class="number">${shownSize(bytes)}</td>
    <td>${shownChecks(audit)}</td>
    <td>${standingLines(snapshot)}</td>
  </tr>`;
}

/** How many checks there were and how many passed, in a few words. */
export function shownChecks(audit: AuditFile | null): string {
  if (audit === null) return 'no report';
  const passed = audit.checks.filter((check) => check.passed).length;
  return `${passed} of ${audit.checks.length} checks passed`;
}
