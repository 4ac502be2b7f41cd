/** Finding a line of a long list: words to search for, and pages of fifty lines. It works without a script. */
import { html } from 'hono/html';
import { CrossfootError } from '../../errors.ts';
import { shownCount } from '../../format.ts';
import type { Html } from '../frame/site-layout.ts';

/** The parameters of a list, besides those that choose and order its lines. */
export const SEARCH_PARAMETERS = ['q', 'page'] as const;
const PAGE_LINES = 50;
/** Longer words are cut, as those of the documentation's search are. */
const MAX_QUERY_CHARACTERS = 200;

export interface Search {
  /** Empty to show every line. */
  readonly words: string;
  /** From 1. */
  readonly page: number;
}

/** Reads the parameters; refuses a page that is no whole number from 1. */
export function readSearch({ q = '', page = '1' }: Readonly<Record<string, string>>): Search {
  if (!/^[1-9]\d{0,8}$/.test(page)) {
    throw new CrossfootError('parameter_refused', 'The parameter page must be a whole number from 1.');
  }
  return { words: q.trim().slice(0, MAX_QUERY_CHARACTERS), page: Number(page) };
}

/** True if each word stands in one of the texts, in any case and with or without accents. */
export function hasWords(words: string, texts: readonly (string | null)[]): boolean {
  const all = plain(texts.filter((text) => text !== null).join('\n'));
  return plain(words)
    .split(/\s+/)
    .every((word) => all.includes(word));
}

/** Upper case, because one letter may have two lower cases: `ß` is found by `ss`, and `σ` by `ς`. */
function plain(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase();
}

/** The lines of a page. A page past the last one is the last: the list may have been longer in another snapshot. */
export function linesOfPage<Line>(lines: readonly Line[], { page }: Search): readonly Line[] {
  const first = firstOf(lines.length, page);
  return lines.slice(first, first + PAGE_LINES);
}

interface Listed {
  /** The page's own path. */
  readonly path: string;
  /** What the lines are, such as `initiatives`. */
  readonly what: string;
  /** The other parameters of the list. */
  readonly kept: Readonly<Record<string, string>>;
  readonly search: Search;
  /** How many lines the search found. */
  readonly found: number;
  /** How many lines there are. */
  readonly all: number;
}

/** The form, and what it found. */
export function searchForm({ path, what, kept, search: { words }, found, all }: Listed): Html {
  return html`<form class="search" role="search" action="${path}" method="get">
      ${Object.entries(kept).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <input
        type="search"
        name="q"
        value="${words}"
        aria-label="Words of titles, owners and departments"
        placeholder="Title, owner or department"
        maxlength="${MAX_QUERY_CHARACTERS}"
      />
      <button>Find</button>
    </form>
    ${
      words === ''
        ? ''
        : html`<p role="status">
            ${found === 0 ? 'None' : shownCount(found)} of ${shownCount(all)} ${what}
            ${found === 1 ? 'has' : 'have'} <strong>${words}</strong> in title, owner or department.
            <a href="${addressOf(path, kept)}">Show all ${what}</a>
          </p>`
    }`;
}

/** Links to the pages beside this one; nothing for a list of one page. */
export function linesPager({ path, what, kept, search: { words, page }, found }: Listed): Html | '' {
  if (found <= PAGE_LINES) return '';
  const first = firstOf(found, page);
  const end = Math.min(first + PAGE_LINES, found);
  const link = (number: number): string =>
    addressOf(path, { ...kept, ...(words === '' ? {} : { q: words }), page: String(number) });
  const current = first / PAGE_LINES + 1;
  return html`<nav class="pager" aria-label="Pages of ${what}">
    <span>${shownCount(first + 1)} to ${shownCount(end)} of ${shownCount(found)} ${what}</span>
    ${first > 0 ? html`<a rel="prev" href="${link(current - 1)}">Previous page</a>` : ''}
    ${end < found ? html`<a rel="next" href="${link(current + 1)}">Next page</a>` : ''}
  </nav>`;
}

/** The link to the file of the list, which has every found line. */
export function listDownload({ path, kept, search: { words }, found }: Listed): Html | '' {
  if (found === 0) return '';
  const address = addressOf(`${path}.csv`, { ...kept, ...(words === '' ? {} : { q: words }) });
  return html`<p class="downloads"><a class="button" href="${address}">CSV for spreadsheets</a></p>`;
}

/** What the name of a file says of a search that chose its lines. */
export function foundName({ words }: Search): string {
  return words === '' ? '' : '-found';
}

/** `All 300 initiatives`, or `All 12 found initiatives`: the name of a line of sums. */
export function sumName({ words }: Search, found: number, what: string): string {
  return `${found === 1 ? '' : 'All '}${shownCount(found)} ${words === '' ? '' : 'found '}${what}`;
}

function firstOf(count: number, page: number): number {
  const last = Math.max(Math.ceil(count / PAGE_LINES), 1);
  return (Math.min(page, last) - 1) * PAGE_LINES;
}

function addressOf(path: string, parameters: Readonly<Record<string, string>>): string {
  return `${path}?${new URLSearchParams(parameters).toString()}`;
}
