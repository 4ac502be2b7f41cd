/** The articles in memory: read from the ledger at most once a minute; each page is made once. */
import { Cache } from '../../cache.ts';
import type { HelpArticle } from '../../ledger/lists/help-articles.ts';
import type { SchemaDescription } from '../../tables/describe.ts';
import { staticResponse, type StaticResponse } from '../http/static-response.ts';
import { type ArticleSearch, indexArticles, type SearchHit } from './article-search.ts';
import { articlePage, listPage } from './site-pages.ts';

// Articles change when a catalogue is loaded. Within a minute every reader sees the change; many readers cost one query.
const KEPT_MS = 60_000;

export interface ArticleShelf {
  /** The page of all articles. */
  list(): Promise<StaticResponse>;
  /** The page of an article; null when there is no article of that name. */
  article(slug: string): Promise<StaticResponse | null>;
  /** Sections of articles and columns of tables with these words, the best hit first. */
  search(query: string): Promise<readonly SearchHit[]>;
}

interface ShelfParts {
  readonly read: () => Promise<readonly HelpArticle[]>;
  /** Milliseconds of a clock that never goes back. */
  readonly clock: () => number;
  /** The tables whose columns are searched. */
  readonly schema: SchemaDescription;
}

interface Filled {
  readonly articles: readonly HelpArticle[];
  readonly pages: Map<string, Promise<StaticResponse>>;
  /** Made by the first search. */
  search?: ArticleSearch;
}

/** Reads the articles at the first request. While the ledger does not answer, the articles of the last read stay. */
export function openShelf({ read, clock, schema }: ShelfParts): ArticleShelf {
  const cache = new Cache<'shelf', Filled>({ max_entries: 1, max_age: KEPT_MS, clock });
  const fill = async (before: Filled | undefined): Promise<Filled> => {
    try {
      return { articles: await read(), pages: new Map() };
    } catch (error) {
      if (before === undefined) throw error;
      // Keep the old articles: a reader who looks for help because the database is down must find them.
      return before;
    }
  };
  const filled = (): Promise<Filled> => cache.get('shelf', fill);
  return {
    list: async () => {
      const { articles, pages } = await filled();
      return once(pages, '', () => listPage(articles));
    },
    article: async (slug) => {
      const { articles, pages } = await filled();
      const article = articles.find((each) => each.slug === slug);
      return article === undefined ? null : once(pages, slug, () => articlePage(article, articles));
    },
    search: async (query) => {
      const shelf = await filled();
      shelf.search ??= indexArticles(shelf.articles, schema);
      return shelf.search(query);
    },
  };
}

function once(pages: Filled['pages'], name: string, make: () => Promise<string>): Promise<StaticResponse> {
  const made = pages.get(name) ?? make().then((page) => staticResponse(page, 'text/html; charset=utf-8'));
  pages.set(name, made);
  return made;
}
