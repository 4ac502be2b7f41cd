/** What changed between any two snapshots: the page, its file, and the address that its pickers send. */
import type { Context } from 'hono';
import { html } from 'hono/html';
import { isCrossfootError } from '../../errors.ts';
import { attachment, redirectWithin } from '../http/header-values.ts';
import { MEMORY_BUDGET } from '../../cache-budget.ts';
import { Cache } from '../../cache.ts';
import { type Diffs, streamOf } from '../../diff/diff-cache.ts';
import { CrossfootError } from '../../errors.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import { openStream } from '../../snapshot/read/checked-read.ts';
import type { TableRows } from '../../snapshot/read/rows.ts';
import type { SnapshotReader } from '../../snapshot/read/snapshot-reader.ts';
import { accounting_periods } from '../../tables/accounting_periods.ts';
import { TABLES, tableNamed } from '../../tables/all.ts';
import type { Table } from '../../tables/table.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import type { RowLimit } from '../limits/row-limit.ts';
import { changesBody } from '../pages/changes-page.ts';
import { defineAddress, definePage } from '../frame/define-page.ts';
import type { BarParts } from '../pages/snapshot-bar.ts';
import { oneBefore } from '../pages/snapshot-page.ts';
import { accountOf, type ReportingParts, requireSnapshot } from '../reporting/chosen-snapshot.ts';
import type { CsvParts } from '../reporting/table-csv.ts';
import { PAGE_ENTRIES } from './changed-rows.ts';
import { initiativesOfRows, withCurrencies } from './entry-currencies.ts';
import type { KnownMoves } from './known-moves.ts';
import { changesCsv } from './changes-csv.ts';
import { entriesWithCells, ENTRY_TABLES } from './moves.ts';
import { comparingBody, firstSnapshotBody, whyBody } from './moves-page.ts';
import { refusedParameter } from '../http/parameters.ts';
import { hasReopened, type ReopenedMonth, reopenedSince } from './months-of-close.ts';
import { csvAddress, movesAddress, type ShownMoves } from './shown-moves.ts';
import { askedSheet, type IdNamesOf } from './id-names.ts';
import { readPortfolio, type Windows } from './window-totals.ts';

export interface ChangesParts extends BarParts, CsvParts {
  readonly diffs: Diffs;
  readonly knownMoves: KnownMoves;
  readonly rowLimit: RowLimit;
  readonly idNamesOf: IdNamesOf;
}

const REFRESH_SECONDS = '2';
/** A window with its totals, or a changed entry of a page. */
const CACHED_BYTES = 512;

/** A damaged file of months hides the note on reopened months alone. */
function orNone(error: unknown): readonly ReopenedMonth[] {
  if (isCrossfootError(error, 'file_corrupt')) return [];
  throw error;
}

/** Leads the form that picks two snapshots to the address of their comparison. */
export const pickedChanges = defineAddress({
  path: '/changes',
  query: ['from', 'to'],
  says: 'What changed between any two snapshots, and why.',
  answer:
    ({ snapshots }: ReportingParts) =>
    async ({ c }) => {
      const listed = await snapshots.list(accountOf(c));
      const to = c.req.query('to') ?? listed[0]?.snapshot_id;
      if (to === undefined) throw new CrossfootError('not_found', 'No snapshot is published yet.');
      const from = c.req.query('from');
      const alone = `snapshots/${encodeURIComponent(to)}/changes`;
      return redirectWithin(c, from === undefined ? alone : movesAddress('', from, to), 303);
    },
});

export const changesPage = definePage({
  path: '/snapshots/{snapshot_id}/changes',
  title: 'What changed',
  here: 'changes',
  access: 'sign-in',
  query: ['from', 'window', 'page'],
  says: 'What changed since an earlier snapshot, and why.',
  body: (parts: ChangesParts) => {
    const { snapshots, diffs, rowLimit, idNamesOf, knownMoves, contextBar } = parts;
    const portfolioOf = createPortfolios(snapshots);
    const entryPages = new Cache<string, Pick<ShownMoves, 'entries' | 'reopened'>>({
      max_bytes: MEMORY_BUDGET.moved_pages,
      bytesOf: ({ entries, reopened }) => CACHED_BYTES * (1 + entries.length + reopened.length),
    });
    return async ({ c, root, named }) => {
      const account_id = accountOf(c);
      const to = await requireSnapshot(parts, c, named.snapshot_id);
      const listed = await snapshots.list(account_id);
      const bar = await contextBar(c, to, { root, choice: null });
      if (c.req.query('from') === undefined && oneBefore(to.snapshot_id, listed) === undefined)
        return { body: html`${bar} ${firstSnapshotBody(root)}` };
      const from = await earlierOf(c, parts, to, listed);
      const moves = await knownMoves.orProgress(account_id, from, to);
      if (moves === null) {
        c.header('refresh', REFRESH_SECONDS);
        return { body: html`${bar} ${comparingBody({ root, from, to, listed })}` };
      }
      const page = pageOf(c.req.query('page'));
      const first = (page - 1) * PAGE_ENTRIES;
      const readRows = async <Result>(table: Table, work: (rows: TableRows) => Promise<Result>) => {
        const rows = await snapshots.openRows(account_id, to.snapshot_id, table);
        return await rowLimit.run(account_id, rows.count, () => work(rows));
      };
      const [before, after, listedEntries, idNames] = await Promise.all([
        portfolioOf(account_id, from),
        portfolioOf(account_id, to),
        entryPages.get(`${account_id} ${from.snapshot_id} ${to.snapshot_id} ${page}`, async () => {
          const range = [first, first + PAGE_ENTRIES] as const;
          const found = await diffs.use(account_id, from, to, (diff) =>
            entriesWithCells(diff, moves.groups, range),
          );
          const [older, newer] = from.snapshot_id < to.snapshot_id ? [from, to] : [to, from];
          const months = (): Promise<readonly ReopenedMonth[]> =>
            snapshots
              .openRows(account_id, newer.snapshot_id, accounting_periods)
              .then((rows) => reopenedSince(older.generated_at, rows));
          return {
            entries: await withCurrencies(found, readRows),
            reopened: hasReopened(moves) ? await months().catch(orNone) : [],
          };
        }),
        idNamesOf(c, to),
      ]);
      const window = c.req.query('window') ?? null;
      if (window !== null && !before.has(window) && !after.has(window)) {
        const [example = 'all'] = after.keys();
        throw refusedParameter(
          `The parameter window must be the key of a window of the two snapshots, such as ${example}.`,
        );
      }
      const shown = { root, from, to, listed, moves, before, after, window, page, idNames };
      const why = whyBody({ ...shown, ...listedEntries });
      const ids = { from: from.snapshot_id, to: to.snapshot_id };
      const csvOf = (table: string): string => csvAddress(root, ids.from, ids.to, { table });
      const { tables, totals } = moves;
      return { body: html`${bar} ${changesBody({ ...ids, tables, totals, why, csvOf })}` };
    };
  },
});

export const changesFile = defineAddress({
  path: '/snapshots/{snapshot_id}/changes.csv',
  query: ['from', 'table', 'spreadsheet'],
  says: 'The changed rows of that page as CSV, each column before and after.',
  answer:
    (parts: ChangesParts) =>
    async ({ c, named }) => {
      const { snapshots, diffs, csvLimit, rowLimit } = parts;
      const account_id = accountOf(c);
      const to = await requireSnapshot(parts, c, named.snapshot_id);
      const from = await earlierOf(c, parts, to, await snapshots.list(account_id));
      const tables = csvTables(c.req.query('table'));
      const asked = await askedSheet(c, parts, to);
      const sheet = asked && {
        ...asked,
        initiativesOf: async (table: Table, ids: readonly bigint[]) => {
          const rows = await snapshots.openRows(account_id, to.snapshot_id, table);
          return await rowLimit.run(account_id, rows.count, () => initiativesOfRows(rows, table, ids));
        },
      };
      const name = ['changes', from.snapshot_id, to.snapshot_id, c.req.query('table') ?? []].flat().join('-');
      const open = () =>
        openStream(streamOf(diffs, { account_id, from, to }, (diff) => changesCsv(diff, tables, sheet)));
      return new Response(c.req.method === 'HEAD' ? null : await csvLimit.open(account_id, open), {
        headers: {
          ...attachment(`${name}${sheet === undefined ? '' : '-spreadsheet'}.csv`),
          'content-type': 'text/csv; charset=utf-8; header=present',
        },
      });
    },
});

/** The snapshot to compare with: the named one, else the one before. */
async function earlierOf(
  c: Context<ServeEnv>,
  parts: ReportingParts,
  to: ReadableSnapshot,
  listed: readonly ReadableSnapshot[],
): Promise<ReadableSnapshot> {
  const named = c.req.query('from');
  if (named !== undefined) return await requireSnapshot(parts, c, named);
  const before = oneBefore(to.snapshot_id, listed);
  if (before !== undefined) return before;
  throw new CrossfootError('not_found', 'No earlier snapshot is kept to compare this one with.');
}

/** Reads the windows of the portfolio, cached by the digest of their file: most of its rows are totals of initiatives. */
function createPortfolios(snapshots: Pick<SnapshotReader, 'openRows'>) {
  const cache = new Cache<string, Windows>({
    max_bytes: MEMORY_BUDGET.portfolio_totals,
    bytesOf: (windows) => CACHED_BYTES * (1 + windows.size),
  });
  return async (account_id: bigint, { snapshot_id, tables }: ReadableSnapshot): Promise<Windows> => {
    const stored = tables.find(({ name }) => name === 'reported_totals');
    const table = tableNamed('reported_totals');
    if (stored === undefined || table === undefined) return new Map();
    return await cache.get(stored.sha256, async () =>
      readPortfolio(await snapshots.openRows(account_id, snapshot_id, table)),
    );
  };
}

/** The tables of the file: the named one, else those whose changed rows the page shows. */
function csvTables(named: string | undefined): readonly Table[] {
  const names = named === undefined ? ENTRY_TABLES.map(([name]) => name) : [named];
  const tables = names.flatMap((name) => tableNamed(name) ?? []);
  if (tables.length === 0)
    throw refusedParameter('The parameter table must be the name of a reporting table.');
  return TABLES.filter((table) => tables.includes(table));
}

function pageOf(text: string | undefined): number {
  if (text === undefined) return 1;
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw refusedParameter('The parameter page must be a whole number from 1.');
}
