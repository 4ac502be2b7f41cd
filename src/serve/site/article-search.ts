/** Search over the documentation: sections of articles and reference pages, and columns of the reporting tables. */
import MiniSearch from 'minisearch';
import type { HelpArticle } from '../../ledger/lists/help-articles.ts';
import type { SchemaDescription } from '../../tables/describe.ts';
import { sectionsOf } from './article-html.ts';

/** A section of an article, or a column of a table. */
export interface SearchHit {
  /** The title of the article, or the name of the table. */
  readonly title: string;
  /** The heading of the section, or the name of the column; null for the beginning of an article. */
  readonly section: string | null;
  /** The path from the top. */
  readonly address: string;
  /** The plain text around the first word that was found. */
  readonly excerpt: string;
}

interface Entry extends Omit<SearchHit, 'excerpt'> {
  readonly text: string;
}

export type ArticleSearch = (query: string) => readonly SearchHit[];

const MAX_HITS = 20;
const EXCERPT_CHARACTERS = 180;
/** A word of at least this length is also found with wrong letters: one for each five letters. */
const FUZZY_FROM = 4;

const NO_WORD = /[^\p{L}\p{N}_]+/u;

/** A name such as `amount_cents` is found whole, and by each of its words. */
function withParts(word: string): string[] {
  return word.includes('_') ? [word, ...word.split('_')].filter((each) => each !== '') : [word];
}

/**
 * Indexes every article and column. A search finds beginnings of words and similar spellings. It returns hits with all
 * words; without such hits, those with any word.
 */
export function indexArticles(
  articles: readonly HelpArticle[],
  { tables }: SchemaDescription,
): ArticleSearch {
  const entries: readonly Entry[] = [
    ...articles.flatMap(({ slug, title, summary, body }) =>
      sectionsOf(body).map(({ heading, anchor, text }) => ({
        title,
        section: heading,
        address: `docs/${slug}${anchor === null ? '' : `#${anchor}`}`,
        text: plainText(heading === null ? `${summary ?? ''} ${text}` : text),
      })),
    ),
    ...tables.flatMap(({ name: table, columns }) =>
      columns.map(({ name, description }) => ({
        title: table,
        section: name,
        address: `tables/${table}#${name}`,
        text: plainText(description),
      })),
    ),
  ];
  const index = new MiniSearch<Entry & { readonly id: number }>({
    fields: ['title', 'section', 'text'],
    tokenize: (text) => text.split(NO_WORD),
    processTerm: (word) => withParts(word.toLowerCase()),
    searchOptions: {
      boost: { title: 3, section: 4 },
      prefix: true,
      fuzzy: (word) => (word.length < FUZZY_FROM ? false : 0.2),
    },
  });
  index.addAll(entries.map((entry, id) => ({ ...entry, id })));
  return (query) => {
    const whole = index.search(query, { combineWith: 'AND' });
    const found = whole.length > 0 ? whole : index.search(query);
    return found.slice(0, MAX_HITS).flatMap(({ id, terms }) => {
      const entry = entries[Number(id)];
      return entry === undefined ? [] : [hitOf(entry, terms)];
    });
  };
}

function hitOf({ text, ...where }: Entry, terms: readonly string[]): SearchHit {
  const lower = text.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place !== -1);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const from = text.lastIndexOf(' ', Math.max(0, first - EXCERPT_CHARACTERS / 3)) + 1;
  const cut = text.slice(from, from + EXCERPT_CHARACTERS);
  const whole = from + EXCERPT_CHARACTERS >= text.length;
  const shown = whole ? cut : `${cut.slice(0, cut.lastIndexOf(' '))} …`;
  return { ...where, excerpt: `${from > 0 ? '… ' : ''}${shown}` };
}

/** Markdown without its signs. */
function plainText(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`|*#]|^\s*-{3,}/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
