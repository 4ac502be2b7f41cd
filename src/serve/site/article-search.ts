/**
 * Search over the documentation: sections of articles and reference pages, and columns of the reporting tables. Anybody may
 * search, so the time of a search is bounded: at most eight words, few terms of the index for each, and a pause after each.
 */
import { setImmediate } from 'node:timers/promises';
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

export type ArticleSearch = (query: string) => Promise<readonly SearchHit[]>;

const MAX_HITS = 20;
/** Further words are ignored. Other requests have their turn after each. */
const MAX_WORDS = 8;
/** The longest word of the documentation has 60 letters. */
const MAX_WORD_LETTERS = 64;
/** A word of at least this length is also found as the beginning of a longer word. Two letters begin hundreds of words. */
const PREFIX_FROM = 3;
/** The maximum number of wrong letters: each further one makes a search several times as long. */
const MAX_WRONG_LETTERS = 2;
/** The index grows by as many sections between two turns of other work: about 2 ms. */
const STEP_SECTIONS = 10;
const EXCERPT_CHARACTERS = 180;
/** A word of at least this length is also found with wrong letters: one for each five letters. */
const FUZZY_FROM = 4;

const NO_WORD = /[^\p{L}\p{N}_]+/u;

/** The words of a text in small letters; a name such as `amount_cents` counts whole, and by each of its words. */
function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(NO_WORD)
    .flatMap((word) => (word.includes('_') ? [word, ...word.split('_')] : [word]))
    .filter((word) => word !== '');
}

/** Words that nearly every text has: a search looks for them only if it has no other word. */
const SMALL_WORDS: ReadonlySet<string> = new Set(
  'a an and are as at be by can do does for from how i in into is it my of on or our that the their this to under what when where which who why with'.split(
    ' ',
  ),
);

/** The words that a search looks for: each once, the first eight that are no small words. */
export function searchedWords(query: string): string[] {
  const words = [...new Set(wordsOf(query).filter(({ length }) => length <= MAX_WORD_LETTERS))];
  const large = words.filter((word) => !SMALL_WORDS.has(word));
  return (large.length > 0 ? large : words).slice(0, MAX_WORDS);
}

/** What changed in each release names nearly everything, and explains little: its sections come last. */
const NEWS = 'docs/release-notes';
const NEWS_WEIGHT = 0.1;

/**
 * Indexes every article and column, in steps. A search finds beginnings of words and similar spellings. It returns hits with
 * all words; if only release notes have all, or nothing has, those with any word.
 */
export async function indexArticles(
  articles: readonly HelpArticle[],
  { tables }: SchemaDescription,
): Promise<ArticleSearch> {
  const entries: Entry[] = tables.flatMap(({ name: table, columns }) =>
    columns.map(({ name, description }) => ({
      title: table,
      section: name,
      address: `tables/${table}#${name}`,
      text: plainText(description),
    })),
  );
  for (const { slug, title, summary, body } of articles) {
    for (const { heading, anchor, text } of sectionsOf(body)) {
      entries.push({
        title,
        section: heading,
        address: `docs/${slug}${anchor === null ? '' : `#${anchor}`}`,
        text: plainText(heading === null ? `${summary ?? ''} ${text}` : text),
      });
    }
    await setImmediate();
  }
  const index = new MiniSearch<Entry & { readonly id: number }>({
    fields: ['title', 'section', 'text'],
    tokenize: wordsOf,
    processTerm: (word) => word,
    searchOptions: {
      boost: { title: 3, section: 4 },
      prefix: (word) => word.length >= PREFIX_FROM,
      fuzzy: (word) => (word.length < FUZZY_FROM ? false : 0.2),
      maxFuzzy: MAX_WRONG_LETTERS,
    },
  });
  for (const [id, entry] of entries.entries()) {
    index.add({ ...entry, id });
    if (id % STEP_SECTIONS === 0) await setImmediate();
  }
  const isNews = entries.map(({ address }) => address.startsWith(NEWS));
  return async (query) => {
    const words = searchedWords(query);
    const found = new Map<number, Found>();
    for (const word of words) {
      for (const { id, score, terms } of index.search(word, { tokenize: (text) => [text] })) {
        const before = found.get(Number(id)) ?? NOTHING_FOUND;
        found.set(Number(id), {
          score: before.score + score,
          words: before.words + 1,
          terms: [...before.terms, ...terms],
        });
      }
      await setImmediate();
    }
    const weighed = [...found].map(([id, { score, words: count, terms }]) => {
      const isComplete = count === words.length;
      return { id, terms, isComplete, weight: score * count * (isNews[id] === true ? NEWS_WEIGHT : 1) };
    });
    const ranked = weighed.toSorted((a, b) => b.weight - a.weight);
    const complete = ranked.filter(({ isComplete }) => isComplete);
    const chosen = complete.some(({ id }) => isNews[id] === false) ? complete : ranked;
    return chosen.slice(0, MAX_HITS).flatMap(({ id, terms }) => {
      const entry = entries[id];
      return entry === undefined ? [] : [hitOf(entry, terms)];
    });
  };
}

/** What the words of a search find in an entry: a word more counts as much as the score. */
interface Found {
  readonly score: number;
  readonly words: number;
  readonly terms: readonly string[];
}

const NOTHING_FOUND: Found = { score: 0, words: 0, terms: [] };

function hitOf({ text, ...where }: Entry, terms: readonly string[]): SearchHit {
  const lower = text.toLowerCase();
  const starts = terms.map((term) => lower.indexOf(term)).filter((start) => start !== -1);
  const first = starts.length === 0 ? 0 : Math.min(...starts);
  const from = text.lastIndexOf(' ', Math.max(0, first - EXCERPT_CHARACTERS / 3)) + 1;
  const cut = text.slice(from, from + EXCERPT_CHARACTERS);
  const isEnd = from + EXCERPT_CHARACTERS >= text.length;
  const shown = isEnd ? cut : `${cut.slice(0, cut.lastIndexOf(' '))} …`;
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
