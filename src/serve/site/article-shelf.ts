/** The articles in memory: read from the ledger at most once a minute. Each page, and the index of the search, is made once. */
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { MEMORY_BUDGET } from '../../cache-budget.ts';
import { Cache } from '../../cache.ts';
import { ConcurrencyLimit } from '../../concurrency-limit.ts';
import { CrossfootError } from '../../errors.ts';
import type { HelpArticle } from '../../ledger/lists/help-articles.ts';
import type { SchemaDescription } from '../../tables/describe.ts';
import type { StaticResponse } from '../http/static-response.ts';
import type { ShownPage } from '../frame/define-page.ts';
import { type KeepPage, keepPages } from '../frame/keep-pages.ts';
import { type ArticleSearch, indexArticles, type SearchHit } from './article-search.ts';
import { articlePage, listBody } from './site-pages.ts';

// Articles change when a catalogue is loaded. Within a minute every reader sees the change; many readers cost one query.
const KEPT_MS = 60_000;
/** The hits of a search. */
const HITS_BYTES = 5_000;
/** One search runs at a time; this many from one address may wait. */
const MAX_WAITING = 8;

/** The whole document of a page. */
type Frame = (shown: ShownPage) => Promise<string>;

export interface ArticleShelf {
  /** The page of all articles. */
  list(frame: Frame): Promise<StaticResponse>;
  /** The page of an article; null when there is no article of that name. */
  article(slug: string, frame: Frame): Promise<StaticResponse | null>;
  /** Sections of articles and columns of tables with these words, the best hit first; `from` is the address of the client. */
  search(query: string, from: string): Promise<readonly SearchHit[]>;
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
  readonly keep: KeepPage;
  readonly hits: Cache<string, readonly SearchHit[]>;
  /** Made by the first search. */
  search?: Promise<ArticleSearch>;
}

/** Reads the articles at the first request. While the ledger does not answer, the articles of the last read stay. */
export function openShelf({ read, clock, schema }: ShelfParts): ArticleShelf {
  const cache = new Cache<'shelf', Filled>({ max_entries: 1, max_age: KEPT_MS, clock });
  const searches = new ConcurrencyLimit<string>({
    at_once: 1,
    in_all: 1,
    waiting: MAX_WAITING,
    refusal: () =>
      new CrossfootError('too_many_requests', 'Too many searches of this address are waiting already.'),
  });
  const fill = async (before: Filled | undefined): Promise<Filled> => {
    try {
      const articles = await read();
      if (before !== undefined && isDeepStrictEqual(articles, before.articles)) return before;
      return {
        articles,
        keep: keepPages(),
        hits: new Cache({ max_bytes: MEMORY_BUDGET.searches, bytesOf: () => HITS_BYTES }),
      };
    } catch (error) {
      if (before === undefined) throw error;
      // Keep the old articles: a reader who looks for help because the database is down must find them.
      return before;
    }
  };
  const filled = (): Promise<Filled> => cache.get('shelf', fill);
  return {
    list: async (frame) => {
      const { articles, keep } = await filled();
      return keep('', () => frame({ body: listBody(articles) }));
    },
    article: async (slug, frame) => {
      const { articles, keep } = await filled();
      const article = articles.find((each) => each.slug === slug);
      return article === undefined
        ? null
        : keep(slug, async () => frame(await articlePage(article, articles)));
    },
    search: async (query, from) => {
      const shelf = await filled();
      return await shelf.hits.get(query, () =>
        searches.run(from, async () => {
          const search = await (shelf.search ??= indexArticles(shelf.articles, schema));
          await setImmediate(); // other requests run between two searches
          return search(query);
        }),
      );
    },
  };
}
