/** The page of all initiatives of a snapshot, ranked by a figure of a window. */
import { html } from 'hono/html';
import { shownCount } from '../../format.ts';
import { defineFigures } from './figures-page.ts';
import type { Html } from '../frame/site-layout.ts';
import type { Overview } from './overview.ts';
import { type OverviewQuery, readOverviewQuery } from './overview-query.ts';
import { hasFigures, type Rank, rankInitiatives, rankingTable, RANKS, withoutFigures } from './ranking.ts';
import type { RowLinks } from './row-links.ts';

/** The page shows this many initiatives; the page of the table's rows has the others. */
const MAX_LINES = 500;

interface Shown extends Pick<OverviewQuery, 'by' | 'window'> {
  readonly overview: Overview;
  readonly links: RowLinks;
}

function initiativesBody({ overview, by, window, links }: Shown): Html {
  const { year } = overview;
  const window_key = window === 'all' ? 'all' : year.window_key;
  const ranked = rankInitiatives(overview, window_key, by);
  const shown = ranked.filter(hasFigures);
  const pageOf = initiativeAddress('', overview);
  return html`<h1>Initiatives</h1>
    <p class="lead">
      ${shownCount(ranked.length)} in this snapshot, ${shownCount(shown.length)} with a figure in the window.
      Each line of net has its own scale.
    </p>
    ${rankTabs({ overview, by, window, path: 'initiatives' })}
    ${
      shown.length === 0
        ? html`<p class="note">
            No initiative has a cost or an approved value here.
            <a href="docs/load-the-ledger">How to load costs and value</a>
          </p>`
        : rankingTable({ overview, ranked: shown.slice(0, MAX_LINES), window_key, links, pageOf })
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

interface Tabs extends Pick<OverviewQuery, 'by' | 'window'> {
  readonly overview: Overview;
  /** The page's own path. */
  readonly path: string;
}

/** Links that choose the figure and the window to rank by. */
export function rankTabs({ overview, by, window, path }: Tabs): Html {
  const tab = (name: string, change: Partial<Pick<OverviewQuery, 'by' | 'window'>>): Html => {
    const next = { snapshot: overview.snapshot.snapshot_id, by, window, ...change };
    const chosen = next.by === by && next.window === window;
    return html`<a
      href="${path}?${new URLSearchParams(next).toString()}#initiatives"
      ${chosen ? html`aria-current="true"` : ''}
      >${name}</a
    > `;
  };
  return html`<nav class="tabs" id="initiatives" aria-label="Ranked by">
      ${Object.entries(RANKS).map(([key, name]) => tab(name, { by: key as Rank }))}
    </nav>
    <nav class="tabs end" aria-label="Window">
      ${tab(overview.year.window_label, { window: 'year' })} ${tab('All time', { window: 'all' })}
    </nav>`;
}

export const initiativesPage = defineFigures({
  path: '/initiatives',
  title: 'Initiatives',
  here: 'initiatives',
  query: ['snapshot', 'by', 'window'],
  says: 'The initiatives of a snapshot, ranked by a figure.',
  content:
    () =>
    ({ c }) => {
      const { by, window } = readOverviewQuery(c.req.query());
      return ({ overview, links }) => ({ body: initiativesBody({ overview, by, window, links }) });
    },
});
