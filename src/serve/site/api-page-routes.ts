/** The reference pages of the API, which need no token. */
import type { ApiDocument } from '../contract/document.ts';
import { TAGS } from '../contract/introduction.ts';
import { definePage } from '../frame/define-page.ts';
import { keepPages } from '../frame/keep-pages.ts';
import { apiGroupPage, apiOverview, groupSlug, TITLE } from './api-page.ts';

export interface ApiPageParts {
  /** The contract with the public address of the API, which the examples name. */
  readonly describe: () => ApiDocument;
}

export const apiPage = definePage({
  path: '/docs/api',
  title: TITLE,
  here: 'docs/api',
  access: 'public',
  query: [],
  says: 'The contract of the API, as a page.',
  body: ({ describe }: ApiPageParts) => {
    const keep = keepPages();
    return ({ frame }) => keep('', async () => frame(await apiOverview(describe())));
  },
});

const SAYS: Readonly<Record<string, string>> = {
  figures: 'The routes of figures, each with its fields and an example.',
  records: 'The routes of lists of records, in the same form.',
  reporting: 'The routes of the reporting tables, in the same form.',
  contract: 'The routes of the contract itself, in the same form.',
};

/** A page for each group of routes. */
export const apiGroupPages = TAGS.map((tag) => {
  const slug = groupSlug(tag);
  return definePage({
    path: `/docs/api/${slug}`,
    title: tag.name,
    here: 'docs/api',
    access: 'public',
    query: [],
    says: SAYS[slug] ?? tag.description,
    body: ({ describe }: ApiPageParts) => {
      const keep = keepPages();
      return ({ frame }) => keep(slug, async () => frame(await apiGroupPage(describe(), slug)));
    },
  });
});
