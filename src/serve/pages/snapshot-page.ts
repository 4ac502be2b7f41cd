/** The page of one snapshot: status, tables, totals, audit, and how to read it. */
import { html } from 'hono/html';
import { accountOf, type ReportingParts, requireSnapshot } from '../reporting/chosen-snapshot.ts';
import { auditOf, checksPassed } from './audit-of.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import { shownAge, shownCount, shownSize } from '../../format.ts';
import type { AuditFile } from './audit-file.ts';
import { auditSection } from './audit-section.ts';
import { copyable } from '../frame/copyable.ts';
import { definePage } from '../frame/define-page.ts';
import type { SignInParts } from '../frame/signed-in.ts';
import { factList } from '../frame/page-table.ts';
import { shownMomentInParts } from '../frame/shown-values.ts';
import { bytesOf, rowCountOf } from './snapshots-page.ts';
import type { BarParts } from './snapshot-bar.ts';
import { snippetsSection } from './snippets.ts';
import { shownKept, standingNotes } from './standing-notes.ts';
import { tablesSection } from './tables-section.ts';
import { totalsSection } from './totals-section.ts';
import type { Instant } from '../../instant.ts';

interface Shown {
  readonly account_id: bigint;
  readonly snapshot: ReadableSnapshot;
  readonly audit: AuditFile | null;
  /** All readable snapshots, newest first. */
  readonly listed: readonly ReadableSnapshot[];
  readonly baseUrl: string;
  readonly now: Instant;
}

const WITHIN = [
  ['tables', 'Tables'],
  ['totals', 'Totals by window'],
  ['audit', 'Audit'],
  ['read', 'Read it'],
] as const;

/** The body of the page. */
function snapshotBody({ account_id, snapshot, audit, listed, baseUrl, now }: Shown) {
  const { snapshot_id, generated_at, tables, versions } = snapshot;
  const before = oneBefore(snapshot_id, listed);
  const facts = [
    ['Moment', shownMomentInParts(generated_at)],
    ['Age', shownAge(generated_at, now, 'long')],
    ['Rows', shownCount(rowCountOf(tables))],
    ['Size', shownSize(bytesOf(tables))],
    ['Checks passed', checksPassed(audit)],
  ] as const;
  return html`<h1>Snapshot ${snapshot_id}</h1>
    <p class="lead">
      Made with PostgreSQL ${versions.postgres} by ${versions.writer}. Kept until ${shownKept(snapshot, now)}.
    </p>
    ${standingNotes(snapshot, '')} ${factList(facts)} ${changesLink(snapshot_id, before)}
    <p>
      <a href="${snapshot_id}/prove">Prove this snapshot</a> in this browser, without trusting the server.
    </p>
    <details>
      <summary>Keep it longer</summary>
      <p>
        An operator of this server pins it: then it stays for 400 days, or through the day that
        <code>--until</code> names. The name has up to 40 lower-case letters, digits and hyphens, and does not
        begin with a hyphen. <a href="../docs/operating">More about pins</a>.
      </p>
      ${copyable(`npx --no crossfoot pin ${snapshot_id} --account ${account_id} --name close`, 'The command that pins it')}
    </details>
    <nav aria-label="On this page">
      <ul class="within">
        ${WITHIN.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>`)}
      </ul>
    </nav>
    ${tablesSection(snapshot, before, listed)} ${totalsSection(audit, snapshot.left_out)}
    ${auditSection(audit)} ${snippetsSection(snapshot_id, baseUrl)}`;
}

/** The snapshot before this one, of those that may still be read, newest first. */
export function oneBefore(
  snapshot_id: string,
  listed: readonly ReadableSnapshot[],
): ReadableSnapshot | undefined {
  return listed.find((each) => each.snapshot_id < snapshot_id);
}

function changesLink(snapshot_id: string, before: ReadableSnapshot | undefined) {
  if (before === undefined) return html`<p>No earlier snapshot is kept to compare it with.</p>`;
  return html`<p>
    <a href="${snapshot_id}/changes">What changed since ${before.snapshot_id}</a>, and why each total moved.
  </p>`;
}

export const snapshotPage = definePage({
  path: '/snapshots/{snapshot_id}',
  title: 'Snapshot',
  here: '',
  access: 'sign-in',
  query: [],
  says: 'A snapshot: its tables, totals and audit.',
  body:
    (parts: ReportingParts & BarParts & Pick<SignInParts, 'now'>) =>
    async ({ c, root, named }) => {
      const { snapshots, baseUrl, now, contextBar } = parts;
      const snapshot = await requireSnapshot(parts, c, named.snapshot_id);
      const listed = await snapshots.list(accountOf(c));
      const audit = await auditOf(c, snapshots, snapshot);
      const shown = { account_id: accountOf(c), snapshot, audit, listed, baseUrl: baseUrl(), now: now() };
      const bar = await contextBar(c, snapshot, { root, choice: null });
      return {
        title: `Snapshot ${snapshot.snapshot_id}`,
        body: html`${bar} ${snapshotBody(shown)}`,
      };
    },
});
