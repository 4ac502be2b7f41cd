/** The bodies of the pages at /docs: the list of articles, an article, and the page of an unknown article. */
import { html, raw } from 'hono/html';
import type { HelpArticle } from '../../ledger/lists/help-articles.ts';
import { articleHtml } from './article-html.ts';
import type { ShownPage } from '../frame/define-page.ts';
import { searchForm } from './search-page.ts';
import type { Html } from '../frame/site-layout.ts';

/** The themes in the order in which a reader needs them; other themes come after these. */
export const THEMES: readonly string[] = [
  'Start',
  'Get data in',
  'Read it',
  'Warehouse',
  'Figures explained',
  'Run it',
  'Trust it',
  'Reference',
  'Table reference',
  'API reference',
];
/** The theme of an article that names none. */
const OTHER = 'Other';

interface Theme {
  readonly theme: string;
  readonly own: readonly HelpArticle[];
}

/** The articles by theme, in the order in which a reader needs them; within a theme in the order of `articles`. */
function themesOf(articles: readonly HelpArticle[]): readonly Theme[] {
  return Object.entries(Object.groupBy(articles, ({ theme }) => theme ?? OTHER))
    .map(([theme, own = []]) => ({ theme, own }))
    .toSorted((a, b) => themeOrder(a.theme) - themeOrder(b.theme));
}

/** The list of all articles by theme. */
export function listBody(articles: readonly HelpArticle[]): Html {
  const sections = themesOf(articles).map(
    ({ theme, own }) =>
      html`<h2>${theme}</h2>
        ${articleList(own)}`,
  );
  const empty = html`<p>
    No article is loaded. The operator of this server loads them with
    <code>npx --no crossfoot migrate</code>.
  </p>`;
  return html`<h1>Documentation</h1>
    <p class="lead">
      What Crossfoot counts, how it checks it, and how to read it. The API has
      <a href="docs/api">a reference of its own</a>.
    </p>
    ${searchForm('docs/search')} ${sections.length > 0 ? sections : empty}`;
}

/** One article, with all others beside it, and the ones before and after it in reading order. */
export async function articlePage(
  article: HelpArticle,
  articles: readonly HelpArticle[],
): Promise<ShownPage> {
  const themes = themesOf(articles);
  const inOrder = themes.flatMap(({ own }) => own);
  const index = inOrder.findIndex(({ slug }) => slug === article.slug);
  const text = await articleHtml(article.body);
  const body = html`<div class="docs">
    <article>
      <h1>${article.title}</h1>
      ${article.summary === null ? '' : html`<p class="lead">${article.summary}</p>`} ${raw(text)}
      <nav class="around" aria-label="Before and after">
        ${wayTo('Previous', inOrder[index - 1])} ${wayTo('Next', inOrder[index + 1])}
      </nav>
    </article>
    ${articleTree(themes, article)}
  </div>`;
  return { title: article.title, body };
}

function wayTo(word: 'Previous' | 'Next', article: HelpArticle | undefined): Html | '' {
  if (article === undefined) return '';
  return html`<a rel="${word === 'Next' ? 'next' : 'prev'}" href="${article.slug}"
    ><span>${word}</span> ${article.title}</a
  >`;
}

/** All articles by theme; only the theme of the shown one is open. */
function articleTree(themes: readonly Theme[], shown: HelpArticle): Html {
  return html`<nav class="tree" aria-label="All articles">
    ${searchForm('search')}
    ${themes.map(
      ({ theme, own }) =>
        html`<details ${own.includes(shown) ? raw('open') : ''}>
          <summary>${theme}</summary>
          <ul>
            ${own.map(
              ({ slug, title }) =>
                html`<li>
                  <a href="${slug}" ${slug === shown.slug ? raw('aria-current="page"') : ''}>${title}</a>
                </li>`,
            )}
          </ul>
        </details>`,
    )}
  </nav>`;
}

/** The page for the address of an unknown article. */
export function missingPage(): ShownPage {
  const body = html`<h1>There is no such article</h1>
    <p>
      It may have had another name. <a href="../docs">The list of all articles</a> has every one there is.
    </p>`;
  return { title: 'There is no such article', status: 404, body };
}

function themeOrder(theme: string): number {
  const index = THEMES.indexOf(theme);
  return index === -1 ? THEMES.length : index;
}

function articleList(articles: readonly HelpArticle[]): Html {
  return html`<ul>
    ${articles.map(
      ({ slug, title, summary }) =>
        html` <li>
          <a href="docs/${slug}">${title}</a>${summary === null ? '' : html` <span>${summary}</span>`}
        </li>`,
    )}
  </ul>`;
}
