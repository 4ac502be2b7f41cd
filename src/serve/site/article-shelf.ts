/** The articles at hand: read from the ledger now and then, each page made once. */
import { Cache } from '../../cache.ts';
import type { HelpArticle } from '../../ledger/lists/help-articles.ts';
import { keep, type Kept } from '../http/kept-answer.ts';
import { articlePage, listPage } from './site-pages.ts';

// Articles change when somebody loads a catalogue. A minute later everybody sees it, and a crowd costs one query.
const KEPT_MS = 60_000;

export interface ArticleShelf {
  /** The page of all articles. */
  list(): Promise<Kept>;
  /** The page of an article; null when there is none of that name. */
  article(slug: string): Promise<Kept | null>;
}

interface ShelfParts {
  readonly read: () => Promise<readonly HelpArticle[]>;
  /** Milliseconds of a clock that only goes forward. */
  readonly clock: () => number;
}

interface Filled {
  readonly articles: readonly HelpArticle[];
  readonly pages: Map<string, Promise<Kept>>;
}

/** A shelf that is filled when it is first asked; while the ledger does not answer, what was read last stays. */
export function openShelf({ read, clock }: ShelfParts): ArticleShelf {
  const cache = new Cache<'shelf', Filled>({ max_entries: 1, max_age: KEPT_MS, clock });
  const fill = async (before: Filled | undefined): Promise<Filled> => {
    try {
      return { articles: await read(), pages: new Map() };
    } catch (error) {
      if (before === undefined) throw error;
      // Whoever looks up what to do about a database that is away should find it.
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
  };
}

function once(pages: Filled['pages'], name: string, make: () => Promise<string>): Promise<Kept> {
  const made = pages.get(name) ?? make().then((page) => keep(page, 'text/html; charset=utf-8'));
  pages.set(name, made);
  return made;
}
