/** The page of a table's rows: filters, sums by value, totals, fifty rows, and downloads. */
import { shownAmount } from '../frame/shown-values.ts';
import { html } from 'hono/html';
import type { RowTotal } from '../../figures/row-totals.ts';
import { shownCount } from '../../format.ts';
import type { Column } from '../../tables/table.ts';
import { inSteps } from '../site/in-steps.ts';
import type { Html } from '../frame/site-layout.ts';
import { standingOf } from './dollar-standings.ts';
import { cellContent, hasOwnCurrency, isFigure, referringTables, shownColumn } from './row-cells.ts';
import { columnForm, facetLists, filterForm, filtersOnPaper, orderForm, wordsOf } from './row-forms.ts';
import { addressOf } from './row-query.ts';
import { here, shownColumns, type ShownRows, type View } from './shown-rows.ts';
import { viewOf } from './table-views.ts';

export const PAGE_ROWS = 50;
/** A CSV in another order than that of the file holds its lines in memory: about 25 MB. */
export const MAX_SORTED_ROWS = 50_000;

/** True if the CSV of so many rows may have the order of the view. */
export function isSortedInFiles(count: number): boolean {
  return count <= MAX_SORTED_ROWS;
}
/** A word that may be broken anywhere, so that one digest does not make the table wider than the page. */
const LONG_WORD = /\S{24}/;
/** The body of the page. */
export function rowsBody(shown: ShownRows): Html {
  const { table, query, all, count, rows } = shown;
  const { title } = viewOf(table);
  const filtered = query.filters.length > 0;
  return html`${crumbs(shown)}
    <h1>${title}</h1>
    <div class="head">
      <p class="lead">
        <b
          >${filtered ? `${shownCount(count)} of ${shownCount(all)}` : shownCount(count)}
          ${count === 1 && !filtered ? 'row' : 'rows'}</b
        >${mainTotal(shown)}. <a href="../../../tables/${table.name}">What the columns mean</a>
      </p>
      ${downloads(shown)}
    </div>
    ${filterForm(shown)} ${filtersOnPaper(shown)} ${columnForm(shown)} ${facetLists(shown)}
    ${rows.length < 2 ? '' : orderForm(shown)}
    ${
      count === 0
        ? emptyState(shown)
        : rows.length === 0
          ? html`<p class="note">
              The view has no page ${query.page}.
              <a href="${here(shown, addressOf(query))}">Show its first page</a>
            </p>`
          : rowTable(shown)
    }
    ${pager(shown)} ${filtered && count === 1 ? wholeRow(shown) : ''}`;
}

/** The page while the rows of a large table are read for the first time in this order, or with these filters. */
export function preparingBody(view: View, read: number, all: number): Html {
  return html`${crumbs(view)}
    <h1>${viewOf(view.table).title}</h1>
    <p class="note" role="status">
      ${shownCount(read)} of ${shownCount(all)} rows are read for this order and these filters. After that the
      page opens at once. It asks again by itself every two seconds.
    </p>`;
}

/** The links to the pages above. */
export function crumbs({ snapshot_id, table }: View): Html {
  return html`<nav class="crumbs" aria-label="Where this page is">
    <a href="../../${snapshot_id}">Snapshot ${snapshot_id}</a> /
    <a href="../../${snapshot_id}#tables">tables</a> / ${table.name}
  </nav>`;
}

function mainTotal({ table, totals, count }: ShownRows): Html | string {
  const { amount } = viewOf(table);
  const total = totals.find(({ column }) => column === amount);
  if (total === undefined || total.cents === null || count === 0) return '';
  return html`, <b>${shownAmount(total.cents, total.currency)}</b>`;
}

/** The files: a CSV has the filters, columns and order of the page, the Parquet file has everything. */
function downloads({ table, query, count, all, columns }: ShownRows): Html {
  const chosen = shownColumns(query, table, columns).map(({ name }) => name);
  const sort = isSortedInFiles(count) ? query.sort : null;
  const view = addressOf(query, { sort, columns: chosen });
  const isUnfiltered = query.filters.length === 0;
  return html`<p class="end downloads">
    ${isUnfiltered ? theRows('All', 'The only', all) : theRows('These', 'This', count)},
    ${chosen.length === columns.length ? 'all' : `${chosen.length} of ${columns.length}`}
    columns${sort === query.sort ? '' : ', not sorted'}:
    <a class="button" href="${table.name}.csv${view}">CSV</a>
    <a class="button" href="${table.name}.csv${view}&spreadsheet=true">CSV for spreadsheets</a>
    all of the table:
    <a class="button" href="${table.name}.parquet">Parquet</a>
  </p>`;
}

function rowTable(shown: ShownRows): Html {
  const { table, query, columns, rows, read } = shown;
  const chosen = shownColumns(query, table, columns);
  const currency_at = read.findIndex(({ name }) => name === 'currency');
  return html`<div class="across" tabindex="0" role="region" aria-label="Rows">
    <table class="rows">
      <thead>
        <tr>
          ${chosen.map((column) => headCell(shown, column))}
        </tr>
      </thead>
      <tbody>
        ${totalRow(shown, chosen)}
        ${inSteps(
          rows,
          (values) =>
            html`<tr>
              ${chosen.map((column) => {
                const value = values[read.indexOf(column)] ?? null;
                const own = hasOwnCurrency(column, columns) ? (values[currency_at] ?? null) : null;
                const currency = own === null ? null : String(own);
                const content = cellContent({
                  column,
                  value,
                  currency,
                  idNames: shown.idNames,
                  table,
                  to: '',
                  standing: () => standingOf(shown, String(values[currency_at] ?? '')),
                });
                const tone = isFigure(column) ? 'r' : LONG_WORD.test(String(value)) ? 'long-word' : '';
                return html`<td class="${tone}" data-column="${shownColumn(column)}">${content}</td>`;
              })}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function headCell(shown: ShownRows, column: Column): Html {
  const { query } = shown;
  const sorted = query.sort?.column === column ? query.sort : null;
  const next =
    sorted === null || sorted.descending ? { column, descending: false } : { column, descending: true };
  const direction = sorted === null ? 'none' : sorted.descending ? 'descending' : 'ascending';
  return html`<th scope="col" class="${isFigure(column) ? 'r' : ''}" aria-sort="${direction}">
    <a href="${here(shown, addressOf(query, { sort: next }))}" title="${column.name}"
      >${shownColumn(column)}${sorted === null ? '' : sorted.descending ? ' ↓' : ' ↑'}</a
    >
  </th>`;
}

/** A number of rows in words: "These 12 rows", "This row", "the 12 filtered rows". */
function theRows(many: string, one: string, count: number, which = ''): string {
  const words = count === 1 ? [one, which, 'row'] : [many, shownCount(count), which, 'rows'];
  return words.filter((word) => word !== '').join(' ');
}

/** The totals of all filtered rows, above the rows of the page; a word where amounts may not be added up. */
function totalRow({ totals, count, query }: ShownRows, chosen: readonly Column[]): Html | '' {
  if (!chosen.some(({ kind }) => kind === 'cents')) return '';
  const which = query.filters.length === 0 ? '' : 'filtered';
  const [first] = chosen;
  return html`<tr class="sum">
    ${chosen.map((column) => {
      if (column === first && column.kind !== 'cents') {
        return html`<th scope="row" data-column="">Total of ${theRows('the', 'the', count, which)}</th>`;
      }
      if (column.kind !== 'cents') return html`<td data-column=""></td>`;
      const total = totals.find((each) => each.column === column.name);
      return html`<td class="r" data-column="${shownColumn(column)}">${totalWords(total)}</td>`;
    })}
  </tr>`;
}

function totalWords(total: RowTotal | undefined): Html {
  if (total === undefined) return html`<span class="unknown">not added up: rows repeat amounts</span>`;
  if (total.differs_in !== null) {
    return html`<span class="unknown"
      >not added up: filter one ${total.differs_in.replaceAll('_', ' ')}</span
    >`;
  }
  if (total.cents === null) return html`<span class="unknown">none</span>`;
  const empty =
    total.empty === 0 ? '' : html`<span class="quiet">${shownCount(total.empty)} without an amount</span>`;
  return html`${shownAmount(total.cents, total.currency)} ${empty}`;
}

function emptyState(shown: ShownRows): Html {
  const { query, all } = shown;
  if (all === 0) return html`<p class="empty">The table has no rows in this snapshot.</p>`;
  return html`<div class="empty">
    <p><b>No row fits all filters.</b></p>
    <p>
      ${query.given.map(([name], index) => {
        const without = addressOf(query, { given: query.given.filter((_, each) => each !== index) });
        return html`<a href="${here(shown, without)}">Remove the filter ${wordsOf(name, shown.columns)}</a> `;
      })}
      or <a href="${here(shown, '')}">show ${theRows('all', 'the only', all)}</a>.
    </p>
  </div>`;
}

function pager(shown: ShownRows): Html | '' {
  const { query, count, rows } = shown;
  if (rows.length === 0) return '';
  const first = (query.page - 1) * PAGE_ROWS;
  const end = first + rows.length;
  const link = (page: number): string => here(shown, addressOf(query, { page }));
  return html`<nav class="pager" aria-label="Pages">
    <span
      >Rows ${shownCount(first + 1)} to ${shownCount(end)} of ${shownCount(count)}; ${PAGE_ROWS} on a
      page</span
    >
    ${query.page > 1 ? html`<a rel="prev" href="${link(query.page - 1)}">Previous page</a>` : ''}
    ${end < count ? html`<a rel="next" href="${link(query.page + 1)}">Next page</a>` : ''}
    <span class="quiet">The address of this page holds its filters, columns and order</span>
  </nav>`;
}

/** What refers to the only row of the view. */
function wholeRow(shown: ShownRows): Html | '' {
  const { table, read, rows, query, columns } = shown;
  const at = read.findIndex(({ name }) => name === table.key[0]);
  const value = rows[0]?.[at] ?? null;
  const referring = referringTables(table);
  const all_columns = here(shown, addressOf(query, { columns: columns.map(({ name }) => name) }));
  return html`<p class="quiet">
    <a href="${all_columns}">Show all columns of this row</a>${
      value === null || referring.length === 0
        ? ''
        : html`; rows that refer to it:
          ${referring.map(({ name, column }) => html`<a href="${name}?${column}=${String(value)}">${name}</a> `)}`
    }
  </p>`;
}
