/** The documentation for people: the help articles of the ledger as pages, without a token. */
import { Hono } from 'hono';
import { redirectWithin } from '../http/header-values.ts';
import type { HelpArticle } from '../../ledger/lists/help-articles.ts';
import type { SchemaDescription } from '../../tables/describe.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { sendStatic, CACHE_PUBLIC, staticResponse } from '../http/static-response.ts';
import { guardPage, PAGE_SOURCES } from '../frame/page-guard.ts';
import { acceptNoParameters, acceptParameters } from '../http/parameters.ts';
import { MONEY_STYLE } from '../frame/money-style.ts';
import { openShelf } from './article-shelf.ts';
import { MOVES_STYLE, NIGHT_STYLE, ROWS_STYLE } from '../frame/rows-style.ts';
import { DATA_STYLE } from '../frame/data-style.ts';
import { FRAME_STYLE } from '../frame/frame-style.ts';
import { searchPage } from './search-page.ts';
import { missingPage } from './site-pages.ts';
import { TEXT_STYLE } from '../frame/text-style.ts';

export interface SiteParts {
  /** Every published article. */
  readonly articles: () => Promise<readonly HelpArticle[]>;
  /** Milliseconds of a clock that only goes forward. */
  readonly clock: () => number;
  readonly schema: SchemaDescription;
  /** The script of every page, made by `npm run generate` of `src/browser`. */
  readonly pageScript: string;
}

/** A longer question is cut: nothing is named by more letters. */
const MAX_QUERY_CHARACTERS = 200;

// Articles contain no account's figures, so any cache may store them.

/** The list, the articles, and the style and the script of every page. */
export function siteRoutes({ articles, clock, schema, pageScript }: SiteParts): Hono<ServeEnv> {
  const routes = new Hono<ServeEnv>();
  const shelf = openShelf({ read: articles, clock, schema });
  const style = staticResponse(
    `${FRAME_STYLE}${TEXT_STYLE}${DATA_STYLE}${ROWS_STYLE}${MOVES_STYLE}${NIGHT_STYLE}${MONEY_STYLE}`,
    'text/css; charset=utf-8',
  );
  const script = staticResponse(pageScript, 'text/javascript; charset=utf-8');
  const guard = guardPage(PAGE_SOURCES);
  routes.get('/docs', acceptNoParameters, guard, async (c) =>
    sendStatic(c, await shelf.list(), CACHE_PUBLIC),
  );
  // People type the address with a slash. The redirect is relative, so it works below a proxy's path.
  routes.get('/docs/', acceptNoParameters, (c) => redirectWithin(c, '../docs', 308));
  routes.get('/docs/site.css', acceptNoParameters, guard, (c) => sendStatic(c, style, CACHE_PUBLIC));
  routes.get('/docs/site.js', acceptNoParameters, guardPage([]), (c) => sendStatic(c, script, CACHE_PUBLIC));
  routes.get('/docs/search', acceptParameters(['q']), guardPage(PAGE_SOURCES, { forms: true }), async (c) => {
    const query = (c.req.query('q') ?? '').trim().slice(0, MAX_QUERY_CHARACTERS);
    c.header('cache-control', 'no-store');
    return c.html(await searchPage(query, query === '' ? [] : await shelf.search(query, c.var.network)));
  });
  routes.get('/docs/:slug', acceptNoParameters, guard, async (c) => {
    const page = await shelf.article(c.req.param('slug'));
    if (page !== null) return sendStatic(c, page, CACHE_PUBLIC);
    c.header('cache-control', 'no-store');
    return c.html(await missingPage(), 404);
  });
  return routes;
}
