/** Changed costs and values, grouped by reason: the old and the new cell side by side, and the effect on net value. */
import { html } from 'hono/html';
import type { Cells, Change } from '../../diff/change.ts';
import { shownCount } from '../../format.ts';
import type { Names } from '../../snapshot/read/sheet-cells.ts';
import { tableNamed } from '../../tables/all.ts';
import type { Column } from '../../tables/table.ts';
import { shownAmount, shownDollarDifference, shownMoment, shownMonth } from '../frame/shown-values.ts';
import { inSteps } from '../site/in-steps.ts';
import type { Html } from '../frame/site-layout.ts';
import { anchorOf, csvAddress, movesAddress, type ShownEntry, type ShownMoves } from './shown-moves.ts';
import { reasonPhrase } from './reason-words.ts';
import { shownColumn, shownText, valueContent } from './row-cells.ts';

/** How many changed entries a page shows. */
export const PAGE_ENTRIES = 50;
/** How many reopened months the page names. */
const MAX_NAMED_MONTHS = 6;
/** Columns that say nothing about why a row changed. */
const SILENT = ['snapshot_id', 'updated_at', 'app_url'];
/** The columns that describe a row that was added or removed. */
const DESCRIBING = [
  'cost_type',
  'entry_type',
  'period_month',
  'vendor_name',
  'description',
  'approved_by_name',
];

/** The section of the page. */
export function changedRows(shown: ShownMoves): Html {
  const { root, from, to, moves, entries, page } = shown;
  const count = moves.groups.reduce((sum, group) => sum + group.entries.length, 0);
  if (count === 0) return html``;
  return html`<h2 id="entries">Changed costs and values</h2>
    <p class="quiet">
      ${shownCount(count)} ${count === 1 ? 'entry' : 'entries'}, by what they do to net value of all time.
    </p>
    ${reopenedNote(shown)}
    <p class="downloads">
      <a class="button" download href="${csvAddress(root, from.snapshot_id, to.snapshot_id)}"
        >All of them as CSV</a
      >
      <a
        class="button"
        download
        href="${csvAddress(root, from.snapshot_id, to.snapshot_id, { spreadsheet: 'true' })}"
        >For a spreadsheet</a
      >
    </p>
    ${
      entries.length === 0
        ? html`<p class="note">
            The list has no page ${page}. <a href="${pageAddress(shown, 1)}">Show its first page</a>
          </p>`
        : entryTable(shown, count)
    }`;
}

/** The address of a page of the entries, beside the same window. */
function pageAddress({ root, from, to, window }: ShownMoves, page: number): string {
  const kept = window === null ? {} : { window };
  return `${movesAddress(root, from.snapshot_id, to.snapshot_id, { ...kept, page: String(page) })}#entries`;
}

function entryTable(shown: ShownMoves, count: number): Html {
  const { moves, entries, page } = shown;
  const end = (page - 1) * PAGE_ENTRIES + entries.length;
  return html`<table class="pairs">
      <thead>
        <tr>
          <th scope="col">Entry</th>
          <th scope="col">Initiative and what for</th>
          <th scope="col">Column, before and after</th>
          <th scope="col" class="r">Effect on net</th>
        </tr>
      </thead>
      ${moves.groups.map((group) => {
        const inside = entries.filter(
          ({ entry }) => entry.kind === group.kind && entry.reason === group.reason,
        );
        if (inside.length === 0) return '';
        return html`<tbody id="${anchorOf(group)}">
          <tr class="grp">
            <th scope="rowgroup" colspan="3">
              ${reasonPhrase(group.reason, group.kind, group.entries.length)}${movingWords(group)}
            </th>
            <td class="r eff">${shownDollarDifference(group.net)}</td>
          </tr>
          ${inSteps(inside, (each) => entryRow(shown, each))}
        </tbody>`;
      })}
    </table>
    <nav class="pager" aria-label="Pages of entries">
      <span
        >Entries ${shownCount(end - entries.length + 1)} to ${shownCount(end)} of ${shownCount(count)}</span
      >
      ${page > 1 ? html`<a rel="prev" href="${pageAddress(shown, page - 1)}">Previous page</a>` : ''}
      ${end < count ? html`<a rel="next" href="${pageAddress(shown, page + 1)}">Next page</a>` : ''}
    </nav>`;
}

/** How many entries of a group the steps of net value count, where they do not count all of them. */
function movingWords({ entries, moving }: ShownMoves['moves']['groups'][number]): string {
  return moving === 0 || moving === entries.length ? '' : `, of which ${shownCount(moving)} moved net value`;
}

/** Which months of the entries were reopened, when, by whom and why; nothing if no entry is of such a month. */
function reopenedNote({ root, to, reopened }: ShownMoves): Html | '' {
  if (reopened.length === 0) return '';
  const more = reopened.length - MAX_NAMED_MONTHS;
  return html`<p class="quiet">
    Reopened in between:
    ${reopened
      .slice(0, MAX_NAMED_MONTHS)
      .map(
        ({ month, reopened_at, by, reason }, index) =>
          html`${index === 0 ? '' : '; '}${shownMonth(month)},
          ${shownMoment(reopened_at)}${by === null ? '' : ` by ${by}`}${reason === null ? '' : html`: “${reason}”`}`,
      )}${more > 0 ? ` and ${shownCount(more)} more` : ''}.
    <a href="${root}snapshots/${to.snapshot_id}/tables/accounting_periods">Every month of the close</a>
  </p>`;
}

function entryRow(shown: ShownMoves, { entry, change, currency, initiative_id, recorded }: ShownEntry): Html {
  const { root, from, to, idNames } = shown;
  const [key = '', id = null] = Object.entries(change.key)[0] ?? [];
  const snapshot = change.after === null ? from : to;
  const row = change.after ?? change.before ?? {};
  const address = `${root}snapshots/${snapshot.snapshot_id}/tables/${entry.table}?${key}=${String(id)}`;
  const initiative = change.effects[0]?.initiative_id ?? row['initiative_id'] ?? initiative_id;
  return html`<tr>
    <td class="id"><a href="${address}">${entry.kind === 'cost' ? 'Cost' : 'Value'} ${String(id)}</a></td>
    <th scope="row">
      ${initiative === null ? 'Initiative not named' : initiativeLink(shown, BigInt(initiative))}
      <span class="quiet"
        >${[...(recorded === null ? [] : [recorded]), ...describing(entry.table, row, idNames)].join(', ')}</span
      >
    </th>
    <td class="cells">${cellPairs(entry.table, change, currency, idNames)}</td>
    <td class="r eff">${entry.net === 0n ? 'no change' : shownDollarDifference(entry.net)}</td>
  </tr>`;
}

/** The title of an initiative as a link to its page; its id if the later snapshot does not have it. */
export function initiativeLink(
  { root, to, idNames }: Pick<ShownMoves, 'root' | 'to' | 'idNames'>,
  id: bigint,
): Html | string {
  const title = idNames.initiatives.get(id);
  if (title === undefined) return `Initiative ${id}`;
  return html`<a href="${root}initiatives/${id}?snapshot=${to.snapshot_id}">${title}</a>`;
}

function describing(table: string, row: Cells, idNames: Names): readonly string[] {
  return DESCRIBING.flatMap((name) => {
    const column = columnNamed(table, name);
    const value = row[name] ?? null;
    if (column === undefined || value === null) return [];
    const words = shownCell(column, value, row, idNames);
    return [column.values === undefined ? words : words.replaceAll('_', ' ')];
  });
}

/** The cells of a row: of a changed row those that differ, of an added or removed row its amount and its dollars. */
function cellPairs(table: string, { before, after }: Change, currency: string | null, idNames: Names): Html {
  const differing = before !== null && after !== null;
  const names = differing
    ? Object.keys(after).filter((name) => !SILENT.includes(name))
    : amountsOf(after ?? before ?? {});
  if (names.length === 0) return html`<span class="quiet">no amount changed</span>`;
  return html`<dl>
    ${names.map((name) => {
      const column = columnNamed(table, name);
      if (column === undefined) return '';
      const cell = (cells: Cells | null, absent: string): Html | string => {
        if (cells === null) return absent;
        const value = cells[name] ?? null;
        if (column.kind === 'date' || column.kind === 'timestamp')
          return html`<span class="nowrap">${valueContent(column, value, idNames)}</span>`;
        return shownCell(column, value, { currency, ...cells }, idNames);
      };
      return html`<div>
        <dt>${shownColumn(column)}</dt>
        <dd><span class="unknown">before</span> ${cell(before, 'not there')}</dd>
        <dd><span class="unknown">after</span> ${cell(after, 'no longer there')}</dd>
      </div>`;
    })}
  </dl>`;
}

/** The columns of its amount: as recorded, and in dollars, each only where it says something of its own. */
function amountsOf({ currency = null, usd_amount_cents }: Cells): readonly string[] {
  return [
    ...(usd_amount_cents === null || (currency !== null && currency !== 'USD') ? ['amount_cents'] : []),
    ...(usd_amount_cents === null ? [] : ['usd_amount_cents']),
  ];
}

/**
 * A cell of a comparison as text. Its value is from JSON, so a 64-bit integer is a number here. An amount of an unknown
 * currency has no sign.
 */
function shownCell(column: Column, value: Cells[string], row: Cells, idNames: Names): string {
  if (column.kind === 'cents' && typeof value === 'number') {
    const dollars = shownAmount(BigInt(value), null);
    if (column.name.startsWith('usd_')) return dollars;
    const currency = row['currency'] ?? null;
    return currency === null ? dollars.replace('$', '') : shownAmount(BigInt(value), String(currency));
  }
  return shownText(
    column,
    column.kind === 'id' && typeof value === 'number' ? BigInt(value) : value,
    idNames,
  );
}

function columnNamed(table: string, name: string): Column | undefined {
  return tableNamed(table)?.columns.find((column) => column.name === name);
}
