/** The documentation for people: the help articles of the ledger as pages, without a token. */
import { defineFile, definePage } from '../frame/define-page.ts';
import { PAGE_SOURCES } from '../frame/page-guard.ts';
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

export const siteStyle = defineFile({
  path: '/docs/site.css',
  type: 'css',
  loads: PAGE_SOURCES,
  says: 'The style of every page.',
  text: () =>
    `${FRAME_STYLE}${TEXT_STYLE}${DATA_STYLE}${ROWS_STYLE}${MOVES_STYLE}${NIGHT_STYLE}${MONEY_STYLE}`,
});

export const siteScript = defineFile({
  path: '/docs/site.js',
  type: 'javascript',
  loads: [],
  says: 'The script of every page: copying, and exact figures below the pointer.',
  text: ({ pageScript }: { readonly pageScript: string }) => pageScript,
});

export const apiStyle = defineFile({
  path: '/docs/api/page.css',
  type: 'css',
  loads: PAGE_SOURCES,
  says: "The style of the API's pages.",
  text: () => API_STYLE,
});
