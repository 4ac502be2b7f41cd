/** The page of what moved between any two snapshots, and the address that its pickers send. */
import { type Context, Hono } from 'hono';
import { attachment, redirectWithin } from '../http/header-values.ts';
import { Cache } from '../../cache.ts';
import { type Diffs, streamOf } from '../../diff/diff-cache.ts';
import { CrossfootError } from '../../errors.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import { openStream } from '../../snapshot/read/checked-read.ts';
import type { TableRows } from '../../snapshot/read/rows.ts';
import { TABLES, tableNamed } from '../../tables/all.ts';
import type { Table } from '../../tables/table.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { acceptParameters } from '../http/parameters.ts';
import type { RowLimit } from '../limits/row-limit.ts';
import { changesBody } from '../pages/changes-page.ts';
import { framedPage } from '../frame/page-frame.ts';
import { formTokenFor, requireSession, type SignInParts } from '../frame/signed-in.ts';
import { oneBefore } from '../pages/snapshot-page.ts';
import { accountOf, pinned } from '../reporting/chosen-snapshot.ts';
import type { CsvParts } from '../reporting/table-csv.ts';
import type { Html } from '../frame/site-layout.ts';
import { PAGE_ENTRIES } from './changed-rows.ts';
import { withCurrencies } from './entry-currencies.ts';
import type { KnownMoves } from './known-moves.ts';
import { changesCsv } from './changes-csv.ts';
import { entriesWithCells, ENTRY_TABLES } from './moves.ts';
import { comparingBody, firstSnapshotBody, whyBody } from './moves-page.ts';
import { asksForSpreadsheet, refused } from './row-query.ts';
import { csvAddress, movesAddress, type ShownEntry } from './shown-moves.ts';
import { createTitles } from './titles.ts';
import { readPortfolio, type Windows } from './window-totals.ts';

export interface MovesParts extends SignInParts, CsvParts {
  readonly diffs: Diffs;
  readonly rowLimit: RowLimit;
}

const ROOT = '../../';
const REFRESH_SECONDS = '2';
const MAX_PORTFOLIOS = 64;
/** Pages of changed entries in the cache: their currencies come from the file of a table. */
const MAX_ENTRY_PAGES = 64;

/** The routes `/changes` and `/snapshots/{id}/changes`. */
export function movesRoutes(parts: MovesParts, known: KnownMoves): Hono<ServeEnv> {
  const { snapshots, diffs } = parts;
  const routes = new Hono<ServeEnv>();
  const titlesOf = createTitles(parts);
  const portfolios = new Cache<string, Windows>({ max_entries: MAX_PORTFOLIOS });
  const entryPages = new Cache<string, readonly ShownEntry[]>({ max_entries: MAX_ENTRY_PAGES });
  const answer = async (c: Context<ServeEnv>, body: Html): Promise<Response> =>
    c.html(
      await framedPage({
        title: 'What changed',
        root: ROOT,
        here: null,
        body,
        form_token: formTokenFor(c, parts),
      }),
    );

  routes.get('/changes', requireSession(parts, './'), acceptParameters(['from', 'to']), async (c) => {
    const listed = await snapshots.list(accountOf(c));
    const to = c.req.query('to') ?? listed[0]?.snapshot_id;
    if (to === undefined) throw new CrossfootError('not_found', 'No snapshot is published yet.');
    const from = c.req.query('from');
    const alone = `snapshots/${encodeURIComponent(to)}/changes`;
    return redirectWithin(c, from === undefined ? alone : movesAddress('', from, to), 303);
  });

  routes.get(
    '/snapshots/:snapshot_id/changes',
    requireSession(parts, ROOT),
    acceptParameters(['from', 'window', 'page']),
    async (c) => {
      const account_id = accountOf(c);
      const to = await pinned(parts, c, c.req.param('snapshot_id'));
      const listed = await snapshots.list(account_id);
      if (c.req.query('from') === undefined && oneBefore(to.snapshot_id, listed) === undefined)
        return await answer(c, firstSnapshotBody(ROOT));
      const from = await earlierOf(c, to, listed);
      const moves = await known.orProgress(account_id, from, to);
      if (moves === null) {
        c.header('refresh', REFRESH_SECONDS);
        return await answer(c, comparingBody({ root: ROOT, from, to, listed }));
      }
      const page = pageOf(c.req.query('page'));
      const first = (page - 1) * PAGE_ENTRIES;
      const [before, after, entries, titles] = await Promise.all([
        portfolioOf(account_id, from),
        portfolioOf(account_id, to),
        entryPages.get(`${account_id} ${from.snapshot_id} ${to.snapshot_id} ${page}`, async () => {
          const range = [first, first + PAGE_ENTRIES] as const;
          const found = await diffs.use(account_id, from, to, (diff) =>
            entriesWithCells(diff, moves.groups, range),
          );
          return await withCurrencies(found, (table, work) => readRows(account_id, to, table, work));
        }),
        titlesOf(c, to),
      ]);
      const window = c.req.query('window') ?? null;
      if (window !== null && !before.has(window) && !after.has(window)) {
        const [example = 'all'] = after.keys();
        throw refused(
          `The parameter window must be the key of a window of the two snapshots, such as ${example}.`,
        );
      }
      const why = whyBody({
        root: ROOT,
        from,
        to,
        listed,
        moves,
        before,
        after,
        window,
        entries,
        page,
        titles,
      });
      const ids = { from: from.snapshot_id, to: to.snapshot_id };
      const csvOf = (table: string): string => csvAddress(ROOT, ids.from, ids.to, { table });
      return await answer(c, changesBody({ ...ids, tables: moves.tables, totals: moves.totals, why, csvOf }));
    },
  );

  routes.get(
    '/snapshots/:snapshot_id/changes.csv',
    requireSession(parts, ROOT),
    acceptParameters(['from', 'table', 'spreadsheet']),
    async (c) => {
      const account_id = accountOf(c);
      const to = await pinned(parts, c, c.req.param('snapshot_id'));
      const from = await earlierOf(c, to, await snapshots.list(account_id));
      const tables = csvTables(c.req.query('table'));
      const forSpreadsheets = asksForSpreadsheet(new URL(c.req.url).searchParams);
      const name = ['changes', from.snapshot_id, to.snapshot_id, c.req.query('table') ?? []].flat().join('-');
      const open = () =>
        openStream(
          streamOf(diffs, { account_id, from, to }, (diff) => changesCsv(diff, tables, forSpreadsheets)),
        );
      return new Response(c.req.method === 'HEAD' ? null : await parts.csvLimit.open(account_id, open), {
        headers: {
          ...attachment(`${name}.csv`),
          'content-type': 'text/csv; charset=utf-8; header=present',
        },
      });
    },
  );

  async function readRows<Result>(
    account_id: bigint,
    { snapshot_id }: ReadableSnapshot,
    table: Table,
    work: (rows: TableRows) => Promise<Result>,
  ): Promise<Result> {
    const rows = await snapshots.openRows(account_id, snapshot_id, table);
    return await parts.rowLimit.run(account_id, rows.count, () => work(rows));
  }

  /** The snapshot to compare with: the named one, else the one before. */
  async function earlierOf(
    c: Context<ServeEnv>,
    to: ReadableSnapshot,
    listed: readonly ReadableSnapshot[],
  ): Promise<ReadableSnapshot> {
    const named = c.req.query('from');
    if (named !== undefined) return await pinned(parts, c, named);
    const before = oneBefore(to.snapshot_id, listed);
    if (before !== undefined) return before;
    throw new CrossfootError('not_found', 'No earlier snapshot is kept to compare this one with.');
  }

  /** The windows of the portfolio, cached by the digest of their file: most of its rows are totals of initiatives. */
  async function portfolioOf(
    account_id: bigint,
    { snapshot_id, tables }: ReadableSnapshot,
  ): Promise<Windows> {
    const stored = tables.find(({ name }) => name === 'reported_totals');
    const table = tableNamed('reported_totals');
    if (stored === undefined || table === undefined) return new Map();
    return await portfolios.get(stored.sha256, async () =>
      readPortfolio(await snapshots.openRows(account_id, snapshot_id, table)),
    );
  }
  return routes;
}

/** The tables of the file: the named one, else those whose changed rows the page shows. */
function csvTables(named: string | undefined): readonly Table[] {
  const names = named === undefined ? ENTRY_TABLES.map(([name]) => name) : [named];
  const tables = names.flatMap((name) => tableNamed(name) ?? []);
  if (tables.length === 0) throw refused('The parameter table must be the name of a reporting table.');
  return TABLES.filter((table) => tables.includes(table));
}

function pageOf(text: string | undefined): number {
  if (text === undefined) return 1;
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw refused('The parameter page must be a whole number from 1.');
}
