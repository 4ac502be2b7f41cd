/** The page of the search over the documentation. It works without a script. */
import { html } from 'hono/html';
import type { SearchHit } from './article-search.ts';
import type { ShownPage } from '../frame/define-page.ts';
import { SEARCH_WORDS } from '../frame/lead-to-search.ts';
import type { Html } from '../frame/site-layout.ts';

const ROOT = '../';

/** The search form and the hits; only the form if `query` is empty. */
export function searchPage(query: string, hits: readonly SearchHit[]): ShownPage {
  const body = html`<h1>Search the documentation</h1>
    ${searchForm('search', query)} ${query === '' ? '' : found(query, hits)}`;
  return { title: query === '' ? 'Search' : `${query} · Search`, body };
}

/** The form of the search; `query` is set on the page of the hits, whose field has the focus. */
export function searchForm(action: string, query?: string): Html {
  return html`<form class="search" role="search" action="${action}" method="get">
    <input
      type="search"
      name="${SEARCH_WORDS}"
      value="${query ?? ''}"
      aria-label="Words to search for"
      placeholder="${query === undefined ? 'Search the documentation' : ''}"
      maxlength="200"
      ${query === undefined ? '' : 'autofocus'}
      required
    />
    <button>Search</button>
  </form>`;
}

function found(query: string, hits: readonly SearchHit[]): Html {
  if (hits.length === 0) {
    return html`<p class="note">
      No article has <strong>${query}</strong>. Try a single word, or look through
      <a href="../docs">all articles</a> and <a href="../tables">all tables</a>.
    </p>`;
  }
  return html`<ol>
    ${hits.map(
      ({ title, section, address, excerpt }) =>
        html`<li>
          <a href="${ROOT}${address}">${section === null ? title : `${title}: ${section}`}</a>
          <span>${excerpt}</span>
        </li>`,
    )}
  </ol>`;
}
