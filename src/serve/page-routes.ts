/** All pages for people. Each is declared beside its content; this list registers it, describes and tests it. */
import type { Hono } from 'hono';
import type { HelpArticle } from '../ledger/lists/help-articles.ts';
import type { ServeEnv } from './auth/authenticate.ts';
import { accountRouter } from './frame/account-router.ts';
import type { Page } from './frame/define-page.ts';
import {
  apiStyle,
  type PageFiles,
  proverPage,
  proverWorker,
  siteScript,
  siteStyle,
} from './frame/page-files.ts';
import { signInRoutes } from './frame/sign-in-routes.ts';
import type { SignInParts } from './frame/signed-in.ts';
import { redirectWithin } from './http/header-values.ts';
import { acceptNoParameters } from './http/parameters.ts';
import { createRowLimit } from './limits/row-limit.ts';
import { aiSpendPage } from './money/ai-spend-page.ts';
import { type Comparisons, createComparisons } from './money/budget-lines.ts';
import { budgetsFile, budgetsPage } from './money/budgets-page.ts';
import type { FiguresParts } from './money/figures-page.ts';
import { frontPage } from './money/front-page.ts';
import { initiativesFile, initiativesPage } from './money/initiatives-page.ts';
import { createInitiatives, type Initiatives } from './money/initiative.ts';
import { createMonths } from './money/months.ts';
import { initiativePage } from './money/one-initiative.ts';
import { createOverviews } from './money/overview.ts';
import { nightPage } from './pages/night-page.ts';
import type { NightParts } from './pages/own-nights.ts';
import { type ProofParts, provedFile, provedLog } from './pages/prove-files.ts';
import { provePage } from './pages/prove-page.ts';
import { type SchemaParts, tablePage, tablesPage } from './pages/schema-pages.ts';
import { createContextBar } from './pages/snapshot-bar.ts';
import { snapshotPage } from './pages/snapshot-page.ts';
import { type PreparePages, preparePages } from './prepare-pages.ts';
import { createCachedRows } from './rows/cached-rows.ts';
import { changesFile, changesPage, type ChangesParts, pickedChanges } from './rows/changes.ts';
import { createKnownMoves } from './rows/known-moves.ts';
import { tableFile, tableRowsCsv, tableRowsPage, type TableRowsParts } from './rows/table-rows.ts';
import { createIdNames } from './rows/id-names.ts';
import { apiGroupPages, apiPage, type ApiPageParts } from './site/api-page-routes.ts';
import { openShelf } from './site/article-shelf.ts';
import { articlePage, docsPage, docsSearchPage, type DocsParts } from './site/docs-pages.ts';

/** What the pages need. */
interface Needed
  extends
    SignInParts,
    ApiPageParts,
    ChangesParts,
    DocsParts,
    FiguresParts,
    NightParts,
    ProofParts,
    SchemaParts,
    TableRowsParts {
  readonly pageFiles: PageFiles;
  readonly comparisons: Comparisons;
  readonly initiatives: Initiatives;
}

/** The same, before what pages share is made. */
export interface PageParts extends Omit<
  Needed,
  | 'cachedRows'
  | 'comparisons'
  | 'contextBar'
  | 'initiatives'
  | 'knownMoves'
  | 'overviews'
  | 'rowLimit'
  | 'shelf'
  | 'idNamesOf'
> {
  /** Every published article. */
  readonly articles: () => Promise<readonly HelpArticle[]>;
  /** Milliseconds of a clock that only goes forward. */
  readonly clock: () => number;
  /** Gets the function that reads what pages read first. */
  readonly onPages?: (prepare: PreparePages) => void;
}

/** In the order of the reference of routes. The first that matches an address answers it. */
export const PAGES: readonly Page<Needed>[] = [
  frontPage,
  initiativesPage,
  initiativesFile,
  initiativePage,
  budgetsPage,
  budgetsFile,
  aiSpendPage,
  nightPage,
  snapshotPage,
  changesPage,
  changesFile,
  pickedChanges,
  tableFile,
  tableRowsCsv,
  tableRowsPage,
  provePage,
  provedFile,
  provedLog,
  proverPage,
  proverWorker,
  tablesPage,
  tablePage,
  docsPage,
  siteStyle,
  siteScript,
  docsSearchPage,
  apiPage,
  apiStyle,
  ...apiGroupPages,
  articlePage,
];

/** Adds every page, what pages load, and the forms of the session. */
export function registerPages(app: Hono<ServeEnv>, parts: PageParts): void {
  const { snapshots, diffs, articles, clock, schema } = parts;
  const rowLimit = createRowLimit();
  const knownMoves = createKnownMoves(diffs);
  const shared: Needed = {
    ...parts,
    rowLimit,
    knownMoves,
    cachedRows: createCachedRows(rowLimit),
    comparisons: createComparisons(),
    contextBar: createContextBar(snapshots),
    initiatives: createInitiatives(),
    overviews: createOverviews(snapshots, knownMoves, createMonths(snapshots, rowLimit), rowLimit),
    shelf: openShelf({ read: articles, clock, schema }),
    idNamesOf: createIdNames(parts),
  };
  parts.onPages?.(preparePages(shared));
  app.route('/', signInRoutes(parts));
  // People type the address with a slash. The redirect is relative, so it works below a proxy's path.
  app.get('/docs/', acceptNoParameters, (c) => redirectWithin(c, '../docs', 308));
  app.route('/', accountRouter(parts, foldersOf(PAGES)));
  for (const page of PAGES) page.register(app, shared);
}

/** The addresses below pages of accounts: unknown ones among them are stored by no cache and framed by no page either. */
function foldersOf(pages: readonly Page<never>[]): readonly string[] {
  const own = pages.filter(({ path, access }) => access === 'sign-in' && path.includes('{'));
  return [...new Set(own.map(({ path }) => `/${path.split('/')[1]}/*`))];
}
