/** The rows of a table of a snapshot: the page, and its files. */
import type { Context } from 'hono';
import { html } from 'hono/html';
import { attachment, redirectWithin } from '../http/header-values.ts';
import { CrossfootError } from '../../errors.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import type { TableRows } from '../../snapshot/read/rows.ts';
import { tableNamed } from '../../tables/all.ts';
import type { Column, Table } from '../../tables/table.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { defineAddress, definePage } from '../frame/define-page.ts';
import { addressMoves, type ReportingParts, requireSnapshot } from '../reporting/chosen-snapshot.ts';
import type { CsvParts } from '../reporting/table-csv.ts';
import { answerParquet } from '../reporting/table-parquet.ts';
import { NO_TABLE, requireTable } from '../reporting/table-parameter.ts';
import { billsNote } from '../pages/left-out-note.ts';
import type { BarParts } from '../pages/snapshot-bar.ts';
import { BILLER, withBillers } from './biller-column.ts';
import type { CachedRows } from './cached-rows.ts';
import { readableView, refusedBody } from './refused-view.ts';
import { isSortedInFiles, MAX_SORTED_ROWS, preparingBody, rowsBody } from './row-page.ts';
import { refusedParameter } from '../http/parameters.ts';
import { addressOf, readRowQuery, type RowQuery } from './row-query.ts';
import { hasOwnCurrency, shownColumn } from './row-cells.ts';
import { addressOfForm, spelledText } from './sent-form.ts';
import { shownColumns } from './shown-rows.ts';
import { viewOf } from './table-views.ts';
import { askedSheet, type IdNamesOf } from './id-names.ts';

export interface TableRowsParts extends CsvParts, BarParts {
  readonly cachedRows: CachedRows;
  readonly idNamesOf: IdNamesOf;
}

/** The parameter of the form that shows the same view of another snapshot. */
const OTHER_SNAPSHOT = 'snapshot';
/** So often a page of rows that are being prepared asks again. */
const REFRESH_SECONDS = '2';
/** The table whose rows have the names of billers beside them. */
const AI_SPEND = 'ai_spend';

interface Opened {
  readonly snapshot: ReadableSnapshot;
  readonly table: Table;
  readonly rows: TableRows;
  /** The digest of the file, and of the file with the names of billers. */
  readonly sha256: string;
  readonly parameters: URLSearchParams;
  /** Who billed a row of `ai_spend`; null for any other table. */
  readonly billerOf: ((row: number) => string) | null;
}

/** The address of the same view by the id of the snapshot. */
function viewAddress(c: Context<ServeEnv>, { snapshot_id }: ReadableSnapshot, table: string): string {
  const { search } = new URL(c.req.url);
  return `../../${snapshot_id}/tables/${encodeURIComponent(table)}${search}`;
}

/** The file of a name is answered, not redirected: each range of one reader could lead to another snapshot. */
export const tableFile = defineAddress({
  path: '/snapshots/{snapshot_id}/tables/{table}.parquet',
  query: null,
  says: 'The file of that table.',
  answer:
    (parts: ReportingParts) =>
    async ({ c, named }) => {
      const snapshot = await requireSnapshot(parts, c, named.snapshot_id);
      const moves = addressMoves(c, snapshot);
      return await answerParquet(c, parts, snapshot, named.table, { headers: {}, moves });
    },
});

export const tableRowsCsv = defineAddress({
  path: '/snapshots/{snapshot_id}/tables/{table}.csv',
  query: null,
  says: 'The rows of a view of that table as CSV, in its order and with its columns.',
  answer:
    (parts: TableRowsParts) =>
    async ({ c, named }) => {
      const opened = await openTable(c, parts, named);
      const { table, parameters, snapshot, rows, billerOf } = opened;
      const query = readRowQuery(parameters, table, rows.columns);
      const { account_id } = c.var.principal;
      const sheet = await askedSheet(c, parts, snapshot);
      const indexOf = async (of: RowQuery) =>
        (await parts.cachedRows.filtered(account_id, { ...opened, query: of })).index;
      const isFiltered = query.filters.length > 0;
      const index = isFiltered ? await indexOf({ ...query, sort: null }) : null;
      if (query.sort !== null && !isSortedInFiles(index?.length ?? rows.count)) throw tooManyToSort();
      const order = query.sort === null ? null : await indexOf(query);
      const stored = table.columns.map(({ name }) => name).filter((name) => hasColumn(rows, name));
      const beside =
        sheet === undefined || billerOf === null
          ? null
          : { name: BILLER.name, head: shownColumn(BILLER), cellOf: billerOf };
      const columns = (query.columns ?? stored).filter(
        (name) => stored.includes(name) || name === beside?.name,
      );
      const options = {
        forSpreadsheets: sheet !== undefined,
        sheet,
        columns: columns.length > 0 ? columns : stored,
        ...(beside !== null && (query.columns === null || columns.includes(BILLER.name)) ? { beside } : {}),
        ...(index === null ? {} : { rows: index }),
        ...(order === null ? {} : { order }),
      };
      const stream = await parts.csvLimit.open(account_id, () =>
        parts.snapshots.openCsv(account_id, snapshot.snapshot_id, named.table, options),
      );
      return new Response(stream, {
        headers: {
          ...attachment(
            `${named.table}-${isFiltered ? 'filtered' : 'all'}-${snapshot.snapshot_id}${sheet === undefined ? '' : '-spreadsheet'}.csv`,
          ),
          'content-type': 'text/csv; charset=utf-8; header=present',
        },
      });
    },
});

export const tableRowsPage = definePage({
  path: '/snapshots/{snapshot_id}/tables/{table}',
  title: 'Rows',
  here: '',
  access: 'sign-in',
  query: null,
  says: 'The rows of a table, with filters, order and totals.',
  body:
    (parts: TableRowsParts) =>
    async ({ c, root, named }) => {
      // A sent form leads to the address of its view, which people can pass on.
      const sent = new URL(c.req.url).searchParams;
      const other = sent.get(OTHER_SNAPSHOT);
      const encoded = encodeURIComponent(named.table);
      if (other !== null) {
        const address = `../../${encodeURIComponent(other)}/tables/${encoded}${restOf(sent)}`;
        return redirectWithin(c, address, 303);
      }
      const opened = await openTable(c, parts, named);
      const { account_id } = c.var.principal;
      const { snapshot, table, rows, parameters } = opened;
      // The address of a view names its snapshot, so that it shows the same rows tomorrow.
      if (addressMoves(c, snapshot)) return redirectWithin(c, viewAddress(c, snapshot, named.table), 303);
      const idNames = await parts.idNamesOf(c, snapshot);
      const reasons = snapshot.left_out?.reasons;
      const spelled = spelledText(sent, rows.columns);
      const spellings = spelled === null ? [] : await parts.cachedRows.spellings(account_id, opened, spelled);
      const added = addressOfForm(sent, { table, columns: rows.columns, idNames, reasons, spellings });
      if (typeof added === 'string') return redirectWithin(c, `${encoded}${added}`, 303);
      if (parameters.has('spreadsheet'))
        throw refusedParameter('The parameter spreadsheet is for the CSV file.');
      const { query, refused: unread } = readableView(parameters, table, rows.columns);
      const wrong = added === null ? unread : [added, ...unread];
      const { title } = viewOf(table);
      const view = { snapshot_id: snapshot.snapshot_id, table, columns: rows.columns, query };
      const listed = await parts.snapshots.list(account_id);
      const kept = [...new URLSearchParams(addressOf(query))];
      const amounts = ownCurrencies(rows.columns);
      const choice = { listed, action: table.name, kept };
      const bar = html`${await parts.contextBar(c, snapshot, { root, amounts, choice })}
      ${table.name === AI_SPEND ? billsNote(snapshot.left_out, root) : ''}`;
      if (wrong.length > 0) {
        return { title, body: html`${bar} ${refusedBody({ ...view, idNames }, wrong)}`, status: 400 };
      }
      const found = await parts.cachedRows.orProgress(account_id, { ...opened, query });
      if ('read' in found) {
        c.header('refresh', REFRESH_SECONDS);
        return { title, body: html`${bar} ${preparingBody({ ...view, idNames }, found.read, rows.count)}` };
      }
      const read = readColumnsOf(query, table, rows.columns);
      const values = await parts.cachedRows.page(account_id, { ...opened, query }, found, read);
      return {
        title,
        body: html`${bar}
        ${rowsBody({ ...found, ...view, all: rows.count, read, rows: values, idNames, reasons })}`,
      };
    },
});

async function openTable(
  c: Context<ServeEnv>,
  parts: ReportingParts,
  named: { readonly snapshot_id: string; readonly table: string },
): Promise<Opened> {
  const snapshot = await requireSnapshot(parts, c, named.snapshot_id);
  const { sha256 } = await requireTable(c, parts, snapshot, named.table);
  const table = tableNamed(named.table);
  if (table === undefined) throw new CrossfootError('not_found', NO_TABLE);
  const { account_id } = c.var.principal;
  const rows = await parts.snapshots.openRows(account_id, snapshot.snapshot_id, table);
  const parameters = new URL(c.req.url).searchParams;
  if (parameters.has(OTHER_SNAPSHOT)) {
    throw refusedParameter('The parameter snapshot is for the page. Name the snapshot in the path.');
  }
  if (table.name !== AI_SPEND) return { snapshot, table, rows, sha256, parameters, billerOf: null };
  const spend = await parts.snapshots.openRows(account_id, snapshot.snapshot_id, tableNamed(AI_SPEND));
  const { named_by, ...billed } = await withBillers(parts.snapshots, account_id, snapshot, spend);
  return { snapshot, table, sha256: `${sha256} ${named_by}`, parameters, ...billed };
}

function tooManyToSort(): CrossfootError {
  return refusedParameter(
    `The parameter sort is for files of at most ${MAX_SORTED_ROWS} rows: add a filter, or leave it out.`,
  );
}

function hasColumn(rows: TableRows, wanted: string): boolean {
  return rows.columns.some(({ name }) => name === wanted);
}

/** In which currency the rows have amounts: those of a table with currencies may have any. */
function ownCurrencies(columns: readonly Column[]): string | undefined {
  const own = columns.filter((column) => hasOwnCurrency(column, columns));
  return own.length === 0 ? undefined : 'in US dollars, or in the currency beside an amount';
}

/** The parameters of the same view of another snapshot, which may have fewer pages. */
function restOf(sent: URLSearchParams): string {
  const rest = [...sent].filter(([name]) => name !== OTHER_SNAPSHOT && name !== 'page');
  return rest.length === 0 ? '' : `?${new URLSearchParams(rest).toString()}`;
}

/** The columns of the view, its key for links, and the currency of its amounts. */
function readColumnsOf(query: RowQuery, table: Table, columns: readonly Column[]): readonly Column[] {
  const more = columns.filter(({ name }) => name === 'currency' || name === table.key[0]);
  return [...new Set([...shownColumns(query, table, columns), ...more])];
}
