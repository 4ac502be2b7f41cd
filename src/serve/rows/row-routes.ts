/** The rows of a table of a snapshot as a page, and their downloads. */
import { type Context, Hono } from 'hono';
import { attachment, redirectWithin } from '../http/header-values.ts';
import { Cache } from '../../cache.ts';
import { CrossfootError } from '../../errors.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import type { FieldValue, TableRows } from '../../snapshot/read/rows.ts';
import { tableNamed } from '../../tables/all.ts';
import type { Column, Table } from '../../tables/table.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import type { RowLimit } from '../limits/row-limit.ts';
import { framedPage } from '../frame/page-frame.ts';
import { formTokenFor, requireSession, type SignInParts } from '../frame/signed-in.ts';
import { latest, pinned } from '../reporting/chosen-snapshot.ts';
import type { CsvParts } from '../reporting/table-csv.ts';
import { answerParquet } from '../reporting/table-parquet.ts';
import { NO_TABLE, requireTable } from '../reporting/table-parameter.ts';
import type { Html } from '../frame/site-layout.ts';
import { type FilteredRows, filterRows, pageRows } from './filter-rows.ts';
import { readableView, refusedBody } from './refused-view.ts';
import { addressOfForm } from './row-forms.ts';
import { PAGE_ROWS, rowsBody } from './row-page.ts';
import { addressOf, asksForSpreadsheet, readRowQuery, refused, type RowQuery } from './row-query.ts';
import { shownColumns } from './shown-rows.ts';
import { viewOf } from './table-views.ts';
import { createTitles } from './titles.ts';

export interface RowParts extends SignInParts, CsvParts {
  readonly rowLimit: RowLimit;
}

/** The row numbers of recent views: a million rows take 4 MB. */
const INDEX_BYTES = 67_108_864;
/** The values of recent pages. */
const PAGE_BYTES = 33_554_432;
const ENTRY_BYTES = 2_048;
const ROOT = '../../../';
/** The parameter of the form that shows the same view of another snapshot. */
const OTHER_SNAPSHOT = 'snapshot';

interface Opened {
  readonly snapshot: ReadableSnapshot;
  readonly table: Table;
  readonly rows: TableRows;
  readonly sha256: string;
  readonly parameters: URLSearchParams;
  readonly query: RowQuery;
}

/** The routes at `/snapshots/{id}/tables`. */
export function rowRoutes(parts: RowParts): Hono<ServeEnv> {
  const routes = new Hono<ServeEnv>();
  // Keys hold the digest of the file: the rows of a file never change. They hold the account, which alone waits for its slots.
  const indexes = new Cache<string, FilteredRows>({
    max_bytes: INDEX_BYTES,
    bytesOf: ({ index }) => (index?.byteLength ?? 0) + ENTRY_BYTES,
  });
  const pages = new Cache<string, readonly (readonly FieldValue[])[]>({
    max_bytes: PAGE_BYTES,
    bytesOf: bytesOfRows,
  });
  const titlesOf = createTitles(parts);

  async function openTable(c: Context<ServeEnv>, name: string): Promise<Omit<Opened, 'query'>> {
    const snapshot = await pinned(parts, c, c.req.param('snapshot_id') ?? '');
    const { sha256 } = await requireTable(c, parts, snapshot, name);
    const table = tableNamed(name);
    if (table === undefined) throw new CrossfootError('not_found', NO_TABLE);
    const rows = await parts.snapshots.openRows(c.var.principal.account_id, snapshot.snapshot_id, table);
    const parameters = new URL(c.req.url).searchParams;
    if (parameters.has(OTHER_SNAPSHOT)) {
      throw refused('The parameter snapshot is for the page. Name the snapshot in the path.');
    }
    return { snapshot, table, rows, sha256, parameters };
  }

  async function open(c: Context<ServeEnv>, name: string): Promise<Opened> {
    const opened = await openTable(c, name);
    return { ...opened, query: readRowQuery(opened.parameters, opened.table, opened.rows.columns) };
  }

  async function answerFile(c: Context<ServeEnv>, snapshot: ReadableSnapshot, file: string, moves: boolean) {
    return await answerParquet(c, parts, snapshot, file.replace(/\.parquet$/, ''), { headers: {}, moves });
  }

  function filtered(account_id: bigint, { table, rows, sha256, query }: Opened): Promise<FilteredRows> {
    const { amount, facets } = viewOf(table);
    const columns = rows.columns.map(({ name }) => name);
    const of = {
      table: table.name,
      columns,
      facets: facets.filter((name) => columns.includes(name)),
      amount,
    };
    const view = addressOf(query, { columns: null });
    return indexes.get(`${account_id} ${sha256} ${view}`, () =>
      parts.rowLimit.run(account_id, rows.count, () => filterRows(rows, query, of)),
    );
  }

  // Not redirected: each range of one reader could lead to another snapshot.
  routes.get('/snapshots/newest/tables/:file{.+\\.parquet}', requireSession(parts, ROOT), async (c) =>
    answerFile(c, await latest(parts, c), c.req.param('file'), true),
  );

  // The address of a view names its snapshot, so that it shows the same rows tomorrow.
  routes.get('/snapshots/newest/tables/:table', requireSession(parts, ROOT), async (c) => {
    const { snapshot_id } = await latest(parts, c);
    const { search } = new URL(c.req.url);
    const table = encodeURIComponent(c.req.param('table'));
    return redirectWithin(c, `../../${snapshot_id}/tables/${table}${search}`, 303);
  });

  routes.get('/snapshots/:snapshot_id/tables/:file{.+\\.parquet}', requireSession(parts, ROOT), async (c) => {
    const snapshot = await pinned(parts, c, c.req.param('snapshot_id'));
    return await answerFile(c, snapshot, c.req.param('file'), false);
  });

  routes.get('/snapshots/:snapshot_id/tables/:file{.+\\.csv}', requireSession(parts, ROOT), async (c) => {
    const name = c.req.param('file').replace(/\.csv$/, '');
    const opened = await open(c, name);
    const { query, parameters, snapshot, rows } = opened;
    const { account_id } = c.var.principal;
    const forSpreadsheets = asksForSpreadsheet(parameters);
    const index =
      query.filters.length === 0 ? null : (await filtered(account_id, withoutOrder(opened))).index;
    const columns = query.columns ?? rows.columns.map((column) => column.name);
    const options = { forSpreadsheets, columns, ...(index === null ? {} : { rows: index }) };
    const stream = await parts.csvLimit.open(account_id, () =>
      parts.snapshots.openCsv(account_id, snapshot.snapshot_id, name, options),
    );
    return new Response(stream, {
      headers: {
        ...attachment(`${name}${index === null ? '' : '-filtered'}.csv`),
        'content-type': 'text/csv; charset=utf-8; header=present',
      },
    });
  });

  routes.get('/snapshots/:snapshot_id/tables/:table', requireSession(parts, ROOT), async (c) => {
    const name = c.req.param('table');
    // A sent form leads to the address of its view, which people can pass on.
    const sent = new URL(c.req.url).searchParams;
    const other = sent.get(OTHER_SNAPSHOT);
    const encoded = encodeURIComponent(name);
    if (other !== null) {
      const address = `../../${encodeURIComponent(other)}/tables/${encoded}${restOf(sent)}`;
      return redirectWithin(c, address, 303);
    }
    const added = addressOfForm(sent, tableNamed(name)?.columns ?? []);
    if (added !== null) return redirectWithin(c, `${encoded}${added}`, 303);
    const opened = await openTable(c, name);
    const { account_id } = c.var.principal;
    const { snapshot, table, rows, sha256, parameters } = opened;
    if (parameters.has('spreadsheet')) throw refused('The parameter spreadsheet is for the CSV file.');
    const { query, refused: wrong } = readableView(parameters, table, rows.columns);
    const answer = async (body: Html, status: 200 | 400) =>
      c.html(
        await framedPage({
          title: viewOf(table).title,
          root: ROOT,
          here: null,
          body,
          form_token: formTokenFor(c, parts),
        }),
        status,
      );
    const view = { snapshot_id: snapshot.snapshot_id, table, columns: rows.columns, query };
    if (wrong.length > 0) {
      return await answer(refusedBody({ ...view, titles: await titlesOf(c, snapshot) }, wrong), 400);
    }
    const [found, listed] = await Promise.all([
      filtered(account_id, { ...opened, query }),
      parts.snapshots.list(account_id),
    ]);
    const read = readColumnsOf(query, table, rows.columns);
    const names = read.map((column) => column.name);
    const first = (query.page - 1) * PAGE_ROWS;
    const key = `${account_id} ${sha256} ${addressOf(query, { columns: names, page: query.page })}`;
    const [values, known] = await Promise.all([
      pages.get(key, () =>
        parts.rowLimit.run(account_id, PAGE_ROWS, () =>
          pageRows(rows, names, found, [first, first + PAGE_ROWS]),
        ),
      ),
      titlesOf(c, snapshot),
    ]);
    const body = rowsBody({
      ...found,
      ...view,
      listed,
      all: rows.count,
      read,
      rows: values,
      titles: known,
    });
    return await answer(body, 200);
  });
  return routes;
}

/** The parameters of the same view of another snapshot, which may have fewer pages. */
function restOf(sent: URLSearchParams): string {
  const rest = [...sent].filter(([name]) => name !== OTHER_SNAPSHOT && name !== 'page');
  return rest.length === 0 ? '' : `?${new URLSearchParams(rest).toString()}`;
}

function withoutOrder(opened: Opened): Opened {
  return { ...opened, query: { ...opened.query, sort: null } };
}

/** The columns of the view, its key for links, and the currency of its amounts. */
function readColumnsOf(query: RowQuery, table: Table, columns: readonly Column[]): readonly Column[] {
  const more = columns.filter(({ name }) => name === 'currency' || name === table.key[0]);
  return [...new Set([...shownColumns(query, table, columns), ...more])];
}

function bytesOfRows(rows: readonly (readonly FieldValue[])[]): number {
  let bytes = ENTRY_BYTES;
  for (const row of rows)
    for (const value of row) bytes += typeof value === 'string' ? 2 * value.length + 16 : 16;
  return bytes;
}
