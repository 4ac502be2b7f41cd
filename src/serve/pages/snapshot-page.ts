/** The page of one snapshot: how it stands, its tables, its totals, its audit, and how to read it. */
import { html } from 'hono/html';
import type { ReadableSnapshot } from '../../snapshot/served-manifest.ts';
import type { AuditFile } from './audit-file.ts';
import { rowsOver, rowTrend } from './row-trend.ts';
import { shownAge, shownCount, shownMoment, shownSize } from './shown-values.ts';
import { shownChecks } from './snapshots-page.ts';
import { snippetsSection } from './snippets.ts';
import { standingNotes } from './standing-notes.ts';
import { totalsSection } from './totals-section.ts';

interface Shown {
  readonly snapshot: ReadableSnapshot;
  readonly audit: AuditFile | null;
  /** All that may be read, newest first. */
  readonly listed: readonly ReadableSnapshot[];
  readonly baseUrl: string;
  /** Microseconds since 1970. */
  readonly now: bigint;
}

/** The text of the page. */
export function snapshotBody({ snapshot, audit, listed, baseUrl, now }: Shown) {
  const { snapshot_id, generated_at, expires_at, versions } = snapshot;
  return html`<h1>Snapshot ${snapshot_id}</h1>
    ${standingNotes(snapshot, '')}
    <dl>
      <dt>Moment</dt>
      <dd>${shownMoment(generated_at)}, ${shownAge(generated_at, now)} ago</dd>
      <dt>Kept</dt>
      <dd>
        ${expires_at === null ? 'until a newer one replaces it' : html`until ${shownMoment(expires_at)}`}
      </dd>
      <dt>Audit</dt>
      <dd><a href="#audit">${shownChecks(audit)}</a></dd>
      <dt>Made with</dt>
      <dd>PostgreSQL ${versions.postgres}, ${versions.writer}</dd>
    </dl>
    ${changesLink(snapshot_id, listed)} ${tablesSection(snapshot, listed)} ${totalsSection(audit)}
    ${auditSection(audit)} ${snippetsSection(snapshot_id, baseUrl)}`;
}

/** The snapshot before this one, of those that may still be read. */
export function oneBefore(
  snapshot_id: string,
  listed: readonly ReadableSnapshot[],
): ReadableSnapshot | undefined {
  return listed.find((each) => each.snapshot_id < snapshot_id);
}

function changesLink(snapshot_id: string, listed: readonly ReadableSnapshot[]) {
  const before = oneBefore(snapshot_id, listed);
  if (before === undefined) return html`<p>No earlier snapshot is kept to compare it with.</p>`;
  return html`<p>
    <a href="${snapshot_id}/changes">What changed since ${before.snapshot_id}</a>, and why each total moved.
  </p>`;
}

function tablesSection({ tables }: ReadableSnapshot, listed: readonly ReadableSnapshot[]) {
  return html`<h2 id="tables">Tables</h2>
    <div class="wide" tabindex="0" role="region" aria-label="Tables">
      <table>
        <thead>
          <tr>
            <th scope="col">Table</th>
            <th scope="col" class="number">Rows</th>
            <th scope="col">Over the kept snapshots</th>
            <th scope="col" class="number">Size</th>
          </tr>
        </thead>
        <tbody>
          ${tables.map(
            ({ name, row_count, size_bytes }) =>
              html`<tr>
                <th scope="row"><a href="../tables/${name}">${name}</a></th>
                <td class="number">${shownCount(row_count)}</td>
                <td>${rowTrend(rowsOver(listed, name))}</td>
                <td class="number">${shownSize(size_bytes)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}

function auditSection(audit: AuditFile | null) {
  if (audit === null) {
    return html`<h2 id="audit">Audit</h2>
      <p>No report that this program can read stands beside the files.</p>`;
  }
  return html`<h2 id="audit">Audit</h2>
    <p>
      ${shownChecks(audit)}, by ${audit.engine}, over the very files that are served.
      <a href="../docs/verify-a-snapshot">How to run it yourself</a>.
    </p>
    <details>
      <summary>All ${audit.checks.length} checks</summary>
      <div class="wide" tabindex="0" role="region" aria-label="Checks">
        <table>
          <thead>
            <tr>
              <th scope="col">Check</th>
              <th scope="col" class="number">Rows examined</th>
              <th scope="col">Result</th>
            </tr>
          </thead>
          <tbody>
            ${audit.checks.map(
              ({ name, rows_examined, passed }) =>
                html`<tr>
                  <th scope="row">${name}</th>
                  <td class="number">${shownCount(rows_examined)}</td>
                  <td>${passed ? 'passed' : html`<strong class="bad">refused</strong>`}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </details>`;
}
