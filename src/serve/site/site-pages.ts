/** The pages at /docs: the list of articles, an article, and the page of an unknown article. */
import { html, raw } from 'hono/html';
import type { HelpArticle } from '../../ledger/lists/help-articles.ts';
import { articleHtml } from './article-html.ts';
import { sitePage } from './site-layout.ts';

interface Place {
  /** The relative path from the page to the top. */
  readonly root: string;
  /** The path to an article, before its slug. */
  readonly articles: string;
}

const AT_LIST: Place = { root: '', articles: 'docs/' };
const AT_ARTICLE: Place = { root: '../', articles: '' };
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

/** The list of all articles by theme; within a theme in the order of `articles`. */
export async function listPage(articles: readonly HelpArticle[]): Promise<string> {
  const themes = Object.entries(Object.groupBy(articles, ({ theme }) => theme ?? OTHER)).toSorted(
    ([a], [b]) => themeOrder(a) - themeOrder(b),
  );
  const sections = themes.map(
    ([theme, own = []]) =>
      html`<h2>${theme}</h2>
        ${articleList(own, AT_LIST)}`,
  );
  const empty = html`<p>
    No article is loaded. The operator of this server loads them with
    <code>npx crossfoot migrate</code>.
  </p>`;
  const body = html`<h1>Documentation</h1>
    <p class="lead">
      What Crossfoot counts, how it checks it, and how to read it. The API has
      <a href="docs/api">a reference of its own</a>.
    </p>
    ${sections.length > 0 ? sections : empty}`;
  return sitePage({ title: 'Documentation', root: AT_LIST.root, here: 'docs', body });
}

/** One article, followed by links to the others of its theme. */
export async function articlePage(article: HelpArticle, articles: readonly HelpArticle[]): Promise<string> {
  const others = articles.filter(({ theme, slug }) => theme === article.theme && slug !== article.slug);
  const more = html`<nav aria-labelledby="more">
    <h2 id="more">Also under ${article.theme ?? OTHER}</h2>
    ${articleList(others, AT_ARTICLE)}
  </nav>`;
  const body = html`<article>
      <h1>${article.title}</h1>
      ${article.summary === null ? '' : html`<p class="lead">${article.summary}</p>`}
      ${raw(articleHtml(article.body))}
    </article>
    ${others.length > 0 ? more : ''}`;
  return sitePage({ title: article.title, root: AT_ARTICLE.root, here: 'docs', body });
}

/** The page for the address of an unknown article. */
export async function missingPage(): Promise<string> {
  const body = html`<h1>There is no such article</h1>
    <p>
      It may have had another name. <a href="../docs">The list of all articles</a> has every one there is.
    </p>`;
  return sitePage({ title: 'There is no such article', root: AT_ARTICLE.root, here: 'docs', body });
}

function themeOrder(theme: string): number {
  const index = THEMES.indexOf(theme);
  return index === -1 ? THEMES.length : index;
}

function articleList(articles: readonly HelpArticle[], { articles: before }: Place) {
  return html`<ul>
    ${articles.map(
      ({ slug, title, summary }) =>
        html` <li>
          <a href="${before}${slug}">${title}</a>${summary === null ? '' : html` <span>${summary}</span>`}
        </li>`,
    )}
  </ul>`;
}
