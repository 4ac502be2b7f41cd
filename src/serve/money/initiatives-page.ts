/** The page of all initiatives of a snapshot, ranked by a figure of a window. */
import { html } from 'hono/html';
import { shownCount } from '../../format.ts';
import { defineFigures, defineListFile } from './figures-page.ts';
import { SHARE_SCALE } from '../frame/shown-values.ts';
import type { Html } from '../frame/site-layout.ts';
import {
  foundName,
  hasWords,
  linesOfPage,
  linesPager,
  listDownload,
  readSearch,
  type Search,
  SEARCH_PARAMETERS,
  searchForm,
  sumName,
} from './found-lines.ts';
import { leftOutSentence } from './not-in-totals.ts';
import type { Overview } from './overview.ts';
import { type OverviewQuery, readOverviewQuery } from './overview-query.ts';
import {
  hasFigures,
  type Rank,
  rankInitiatives,
  rankingTable,
  RANKS,
  sumOf,
  withoutFigures,
} from './ranking.ts';
import type { RowLinks } from './row-links.ts';

interface Shown extends Pick<OverviewQuery, 'by' | 'window'> {
  readonly overview: Overview;
  readonly links: RowLinks;
  readonly search: Search;
}

/** The initiatives that the search finds, and those of them with a figure in the window; in the order of the rank. */
function foundInitiatives({ overview, by, window, search: { words } }: Omit<Shown, 'links'>) {
  const window_key = window === 'all' ? 'all' : overview.year.window_key;
  const all = rankInitiatives(overview, window_key, by);
  const ranked =
    words === ''
      ? all
      : all.filter(({ title, owner, department }) => hasWords(words, [title, owner, department]));
  return { window_key, all, ranked, shown: ranked.filter(hasFigures) };
}

function windowWords({ year }: Shown['overview'], window: Shown['window']): string {
  return window === 'all' ? 'all time' : year.window_label;
}

async function initiativesBody({ overview, by, window, links, search }: Shown): Promise<Html> {
  const { window_key, all, ranked, shown } = foundInitiatives({ overview, by, window, search });
  const list = {
    path: 'initiatives',
    what: 'initiatives',
    kept: { snapshot: overview.snapshot.snapshot_id, by, window },
    search,
  };
  const pageOf = initiativeAddress('', overview);
  const lines = linesOfPage(shown, search);
  const seriesOf = await overview.months?.initiatives(lines.map(({ id }) => id));
  return html`<h1>Initiatives</h1>
    <p class="lead">
      ${shownCount(all.length)} in this snapshot, ${shownCount(all.filter(hasFigures).length)} with a figure
      in the window. Each line of net has its own scale.
    </p>
    ${searchForm({ ...list, found: ranked.length, all: all.length })}
    ${leftOutSentence(overview, links, './')}
    <div class="head">${rankTabs({ overview, by, window, path: 'initiatives', words: search.words })}</div>
    ${rankedOnPaper({ overview, by, window })}
    ${
      shown.length > 0
        ? html`${rankingTable({
            overview,
            ranked: lines,
            seriesOf,
            window_key,
            links,
            pageOf,
            sum: shown.length > 1 ? sumOf(shown, sumName(search, shown.length, 'initiatives')) : null,
          })}
          ${linesPager({ ...list, found: shown.length, all: all.length })}
          ${listDownload({ ...list, found: shown.length, all: all.length })}`
        : search.words !== ''
          ? ''
          : html`<p class="note">
              No initiative has a cost or an approved value here.
              <a href="docs/load-the-ledger">How to load costs and value</a>
            </p>`
    }
    <p><a href="${links.table('initiatives')}">Every initiative with its plan, as rows</a></p>
    ${withoutFigures(ranked, pageOf)}`;
}

/**
 * Returns a function that gives the address of an initiative's page in this snapshot; `root` is the path to the top.
 */
export function initiativeAddress(root: string, { snapshot }: Pick<Overview, 'snapshot'>) {
  return (id: bigint): string => `${root}initiatives/${id}?snapshot=${snapshot.snapshot_id}`;
}

/** On paper the order and the window of a ranking, which its tabs say on a screen. */
export function rankedOnPaper({ overview, by, window }: Pick<Tabs, 'overview' | 'by' | 'window'>): Html {
  return html`<p class="on-paper">Ranked by ${RANKS[by]}, ${windowWords(overview, window)}.</p>`;
}

interface Tabs extends Pick<OverviewQuery, 'by' | 'window'> {
  readonly overview: Overview;
  /** The page's own path. */
  readonly path: string;
  /** The words that are searched for, if any. */
  readonly words?: string;
}

/** Links that choose the figure and the window to rank by. */
export function rankTabs({ overview, by, window, path, words = '' }: Tabs): Html {
  const tab = (name: string, change: Partial<Pick<OverviewQuery, 'by' | 'window'>>): Html => {
    const next = { snapshot: overview.snapshot.snapshot_id, by, window, ...change };
    const address = new URLSearchParams({ ...next, ...(words === '' ? {} : { q: words }) });
    const chosen = next.by === by && next.window === window;
    return html`<a href="${path}?${address.toString()}#initiatives" ${chosen ? html`aria-current="true"` : ''}
      >${name}</a
    > `;
  };
  return html`<nav class="tabs" id="initiatives" aria-label="Ranked by">
      ${Object.entries(RANKS)
        .filter(([key]) => key !== 'change' || overview.totals_before !== null)
        .map(([key, name]) => tab(name, { by: key as Rank }))}
    </nav>
    <nav class="tabs end" aria-label="Window">
      ${tab(overview.year.window_label, { window: 'year' })} ${tab('All time', { window: 'all' })}
    </nav>`;
}

export const initiativesPage = defineFigures({
  path: '/initiatives',
  title: 'Initiatives',
  here: 'initiatives',
  query: ['snapshot', 'by', 'window', ...SEARCH_PARAMETERS],
  says: 'The initiatives of a snapshot, ranked by a figure; `q` finds words of titles, owners and departments.',
  content:
    () =>
    ({ c }) => {
      const { by, window } = readOverviewQuery(c.req.query());
      const search = readSearch(c.req.query());
      return async ({ overview, links }) => ({
        body: await initiativesBody({ overview: await overview(), by, window, links, search }),
      });
    },
});

export const initiativesFile = defineListFile({
  path: '/initiatives.csv',
  query: ['snapshot', 'by', 'window', 'q'],
  says: 'The list of that page as CSV for spreadsheets, with every line that `q` finds.',
  content:
    () =>
    ({ c }) => {
      const { by, window } = readOverviewQuery(c.req.query());
      const search = readSearch(c.req.query());
      return async ({ overview: read }) => {
        const overview = await read();
        const before = overview.totals_before === null ? null : overview.before;
        const { window_key, shown } = foundInitiatives({ overview, by, window, search });
        return {
          name: `initiatives${foundName(search)}-${window_key === 'all' ? 'all-time' : window_key}`,
          heads: [
            'Initiative id',
            'Initiative',
            'Stage',
            'Owner',
            'Department',
            'Window',
            'Currency',
            'Net value',
            'Cost',
            'Cash value',
            `ROI (${SHARE_SCALE})`,
            'Freed capacity',
            ...(before === null ? [] : [`Net since ${before.snapshot_id}`]),
          ],
          lines: shown.map(({ id, title, stage, owner, department, now, change }) => [
            String(id),
            title,
            stage,
            owner,
            department,
            windowWords(overview, window),
            'USD',
            now.net_value,
            now.cost,
            now.cash_value,
            now.roi,
            now.freed_capacity,
            ...(before === null ? [] : [change]),
          ]),
        };
      };
    },
});
