/** The documentation for people: the help articles of the ledger as pages, without a token. */
import type { Hono } from 'hono';
import { redirectWithin } from '../http/header-values.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { sendStatic, CACHE_PUBLIC, staticResponse } from '../http/static-response.ts';
import { definePage } from '../frame/define-page.ts';
import { guardPage, PAGE_SOURCES } from '../frame/page-guard.ts';
import { acceptNoParameters } from '../http/parameters.ts';
import { MONEY_STYLE } from '../frame/money-style.ts';
import type { ArticleShelf } from './article-shelf.ts';
import { API_STYLE } from './api-style.ts';
import { MOVES_STYLE, NIGHT_STYLE, ROWS_STYLE } from '../frame/rows-style.ts';
import { DATA_STYLE } from '../frame/data-style.ts';
import { FRAME_STYLE } from '../frame/frame-style.ts';
import { searchPage } from './search-page.ts';
import { missingPage } from './site-pages.ts';
import { TEXT_STYLE } from '../frame/text-style.ts';

export interface DocsParts {
  readonly shelf: ArticleShelf;
}

/** A longer question is cut: nothing is named by more letters. */
const MAX_QUERY_CHARACTERS = 200;

export const docsPage = definePage({
  path: '/docs',
  title: 'Documentation',
  here: 'docs',
  access: 'public',
  query: [],
  says: 'This documentation.',
  body:
    ({ shelf }: DocsParts) =>
    ({ frame }) =>
      shelf.list(frame),
});

export const docsSearchPage = definePage({
  path: '/docs/search',
  title: 'Search',
  here: 'docs',
  access: 'public',
  hasForm: true,
  query: ['q'],
  says: 'The articles, reference pages and columns that say something about `q`.',
  body:
    ({ shelf }: DocsParts) =>
    async ({ c }) => {
      const query = (c.req.query('q') ?? '').trim().slice(0, MAX_QUERY_CHARACTERS);
      return searchPage(query, query === '' ? [] : await shelf.search(query, c.var.network));
    },
});

export const articlePage = definePage({
  path: '/docs/{slug}',
  title: 'Article',
  here: 'docs',
  access: 'public',
  query: [],
  says: 'An article of the documentation.',
  body:
    ({ shelf }: DocsParts) =>
    async ({ named, frame }) =>
      (await shelf.article(named.slug, frame)) ?? missingPage(),
});

/** The style and the script of every page, the style of the API's reference, and the address of the list as people type it. */
export function siteFiles(app: Hono<ServeEnv>, { pageScript }: { readonly pageScript: string }): void {
  const css = [
    [
      '/docs/site.css',
      `${FRAME_STYLE}${TEXT_STYLE}${DATA_STYLE}${ROWS_STYLE}${MOVES_STYLE}${NIGHT_STYLE}${MONEY_STYLE}`,
    ],
    ['/docs/api/page.css', API_STYLE],
  ] as const;
  for (const [path, text] of css) {
    const style = staticResponse(text, 'text/css; charset=utf-8');
    app.get(path, acceptNoParameters, guardPage(PAGE_SOURCES), (c) => sendStatic(c, style, CACHE_PUBLIC));
  }
  const script = staticResponse(pageScript, 'text/javascript; charset=utf-8');
  app.get('/docs/site.js', acceptNoParameters, guardPage([]), (c) => sendStatic(c, script, CACHE_PUBLIC));
  // People type the address with a slash. The redirect is relative, so it works below a proxy's path.
  app.get('/docs/', acceptNoParameters, (c) => redirectWithin(c, '../docs', 308));
}
