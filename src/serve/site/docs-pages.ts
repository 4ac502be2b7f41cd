/** The documentation for people: the help articles of the ledger as pages, without a token. */
import { definePage } from '../frame/define-page.ts';
import type { ArticleShelf } from './article-shelf.ts';
import { searchPage } from './search-page.ts';
import { missingPage } from './site-pages.ts';

export interface DocsParts {
  readonly shelf: ArticleShelf;
}

/** A longer question is cut. No heading or term of the documentation is as long. */
const MAX_QUERY_CHARACTERS = 200;

export const docsPage = definePage({
  path: '/docs',
  title: 'Documentation',
  here: 'docs',
  access: 'public',
  hasForm: true,
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
  hasForm: true,
  query: [],
  says: 'An article of the documentation.',
  body:
    ({ shelf }: DocsParts) =>
    async ({ named, frame }) =>
      (await shelf.article(named.slug, frame)) ?? missingPage(),
});
