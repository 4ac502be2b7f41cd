/** The first page of an account: the figures of one snapshot, and all snapshots that may be read. */
import { html } from 'hono/html';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import { shownAge, shownCount, shownSize } from '../../format.ts';
import type { AuditFile } from './audit-file.ts';
import { checksPassed } from './audit-of.ts';
import { troubledNight } from './night-page.ts';
import type { OwnNight } from './own-nights.ts';
import { pageTable } from '../frame/page-table.ts';
import { shownDollars, shownMoment } from '../frame/shown-values.ts';
import type { Html } from '../frame/site-layout.ts';
import { shownKept, standingMarks } from './standing-notes.ts';
import type { Instant } from '../../instant.ts';

/** A snapshot with its audit report; null if no report can be read. */
export interface Audited {
  readonly snapshot: ReadableSnapshot;
  readonly audit: AuditFile | null;
}

interface Listed {
  /** Newest first. */
  readonly snapshots: readonly Audited[];
  /** How the account's last night ended; undefined when none was queued. */
  readonly lastNight: OwnNight | undefined;
  /** The shown snapshot's name and figures; null before the first snapshot. */
  readonly shown: { readonly snapshot_id: string; readonly bar: Html; readonly figures: Html } | null;
  readonly now: Instant;
}

/** The body of the page. */
export function snapshotsBody({ snapshots, lastNight, shown, now }: Listed) {
  const none = html`<p class="note">
    No snapshot of this account is complete yet. <code>npx --no crossfoot why</code> tells how far the first
    one has come; <a href="docs/troubleshooting">the documentation tells more</a>.
  </p>`;
  const table = pageTable(
    'Snapshots',
    [
      'Snapshot',
      { number: 'Cost, all time' },
      { number: 'Cash value, all time' },
      { number: 'Age' },
      { number: 'Rows' },
      { number: 'Size' },
      { number: 'Checks passed' },
      'Kept until',
    ],
    snapshots.map((each, index) =>
      row(each, now, {
        newest: index === 0,
        later: shown !== null && each.snapshot.snapshot_id > shown.snapshot_id,
      }),
    ),
  );
  return html`${shown?.bar ?? ''}
    <h1>What was spent, what came back, what moved</h1>
    ${lastNight === undefined ? '' : troubledNight(lastNight)} ${shown?.figures ?? ''}
    <section>
      <div class="head">
        <h2 id="snapshots">Snapshots</h2>
        <p>Each is the whole account at one moment, audited before it could be read.</p>
        ${snapshots.length < 2 ? '' : html`<p class="end"><a href="changes">Compare any two</a></p>`}
      </div>
      ${snapshots.length === 0 ? none : table}
    </section>`;
}

interface Place {
  readonly newest: boolean;
  /** Published after the shown snapshot: it is not on the paper of that snapshot. */
  readonly later: boolean;
}

function row({ snapshot, audit }: Audited, now: Instant, { newest, later }: Place) {
  const { snapshot_id, generated_at, tables } = snapshot;
  const [cash_value, , cost] = allTime(audit);
  return html`<tr ${later ? html`class="not-on-paper"` : ''}>
    <th scope="row">
      <a href="snapshots/${snapshot_id}">${snapshot_id}</a>
      <div class="quiet">${shownMoment(generated_at)}</div>
      ${newest ? html`<span class="mark good">newest</span>` : ''} ${standingMarks(snapshot)}
    </th>
    <td class="number" data-column="Cost, all time">${cost === undefined ? '–' : shownDollars(cost)}</td>
    <td class="number" data-column="Cash value, all time">
      ${cash_value === undefined ? '–' : shownDollars(cash_value)}
    </td>
    <td class="number" data-column="Age">${shownAge(generated_at, now, 'long')}</td>
    <td class="number" data-column="Rows">${shownCount(rowCountOf(tables))}</td>
    <td class="number" data-column="Size">${shownSize(bytesOf(tables))}</td>
    <td class="number" data-column="Checks passed">${checksPassed(audit)}</td>
    <td data-column="Kept until"><span>${shownKept(snapshot, now)}</span></td>
  </tr>`;
}

/** Cash value, freed capacity and cost of the portfolio of all time, as the audit found them; nothing without a report. */
function allTime(audit: AuditFile | null): readonly bigint[] {
  const found = audit?.windows.find(({ place }) => place === 'all')?.found.split(' ') ?? [];
  return found.slice(0, 3).every((cents) => /^-?\d+$/.test(cents)) ? found.slice(0, 3).map(BigInt) : [];
}

/** The number of rows of all tables. */
export function rowCountOf(tables: ReadableSnapshot['tables']): number {
  return tables.reduce((sum, { row_count }) => sum + row_count, 0);
}

/** The size of all tables in bytes. */
export function bytesOf(tables: ReadableSnapshot['tables']): number {
  return tables.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
}
