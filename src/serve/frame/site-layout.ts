/** The frame of every page for people: head, navigation, and the place for the content. */
import { html, raw } from 'hono/html';

/** Escaped HTML: inserted into other markup it is not escaped again. */
export type Html = ReturnType<typeof html>;

/** The links at the top of every page. */
const WAYS = [
  ['', 'Overview'],
  ['initiatives', 'Initiatives'],
  ['budgets', 'Budgets'],
  ['ai-spend', 'AI spend'],
  ['changes', 'What changed'],
  ['night', 'Nights'],
  ['tables', 'Tables'],
  ['docs', 'Documentation'],
  ['docs/api', 'API reference'],
] as const;
const STYLES = ['docs/site.css'];
/** Adds copying, and exact figures below the pointer; every page works without it. */
const SCRIPT = 'docs/site.js';
const CURRENT = raw('aria-current="true"');

export type Way = (typeof WAYS)[number][0];

/** The pages of the figures of one snapshot. */
const FIGURES: readonly Way[] = ['', 'initiatives', 'budgets', 'ai-spend'];

/** The pages that need no sign-in. */
export const PUBLIC_WAYS: readonly Way[] = ['tables', 'docs', 'docs/api'];

/** The mark: a sheet whose last row adds up to cost, whose last column adds up to value, and where both sums meet. */
const SHEET = [
  ['grid', 'M1 1h6v6H1zM9 1h6v6H9zM1 9h6v6H1zM9 9h6v6H9z', '#a0a7ad'],
  ['cost', 'M1 17h6v6H1zM9 17h6v6H9z', '#c9631a'],
  ['value', 'M17 1h6v6h-6zM17 9h6v6h-6z', '#2b86a4'],
  ['total', 'M17 17h6v6h-6z', '#6d7883'],
] as const;
export const MARK = html`<svg viewBox="0 0 24 24" aria-hidden="true">
  ${SHEET.map(([part, path]) => html`<path class="mark-${part}" d="${path}" />`)}
</svg>`;
// A browser's tabs may be dark above a light page: these colours are seen on both.
const ICON = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${SHEET.map(
    ([, path, colour]) => `<path fill="${colour}" d="${path}"/>`,
  ).join('')}</svg>`,
)}`;

interface Framed {
  readonly title: string;
  /**
   * The relative path from the page to the top: empty, `../` or more. Relative addresses also work where a proxy serves
   * the pages below a path of its own.
   */
  readonly root: string;
  /** The navigation entry of the page, as a path from the top; null if the page has none. */
  readonly here: Way | null;
  /** The entries of the navigation; all if omitted. */
  readonly ways?: readonly Way[] | undefined;
  /** The snapshot that the reader chose: the links to other pages of figures keep it. */
  readonly snapshot?: string | undefined;
  readonly body: Html;
  /** Additions at the end of the navigation, for signed-in readers. */
  readonly more?: Html;
  /** Further style sheets, as paths from the top. */
  readonly styles?: readonly string[];
  /** Further scripts, as paths from the top. */
  readonly scripts?: readonly string[];
}

/** The whole HTML document. */
export async function sitePage({
  title,
  root,
  here,
  ways,
  snapshot,
  body,
  more,
  styles = STYLES,
  scripts = [],
}: Framed): Promise<string> {
  return String(
    await html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>${title} · Crossfoot</title>
          <link rel="icon" href="${ICON}" />
          ${styles.map((path) => html`<link rel="stylesheet" href="${root}${path}" />`)}
        </head>
        <body>
          <a class="skip" href="#text">Skip to the text</a>
          <header>
            <div class="frame">
              <a class="brand" href="${atTop(root)}">${MARK} Crossfoot</a>
              <nav class="ways" aria-label="Site">${waysTo({ root, here, ways, snapshot })}</nav>
              ${more ?? ''}
              <details class="menu">
                <summary>Menu</summary>
                <nav aria-label="Menu">${waysTo({ root, here, ways, snapshot })}</nav>
              </details>
            </div>
          </header>
          <main id="text">${body}</main>
          ${[SCRIPT, ...scripts].map((path) => html`<script src="${root}${path}"></script>`)}
        </body>
      </html> `,
  );
}

/** The navigation stands twice: in a row on a wide screen, in a menu on a narrow one; the style shows one of them. */
function waysTo({ root, here, ways, snapshot }: Omit<Framed, 'title' | 'body'>): readonly Html[] {
  return WAYS.filter(([path]) => ways?.includes(path) ?? true).map(([path, name]) => {
    const kept = snapshot !== undefined && FIGURES.includes(path) ? `?snapshot=${snapshot}` : '';
    return html`<a
      href="${path === '' ? atTop(root) : `${root}${path}`}${kept}"
      ${path === here ? CURRENT : ''}
      >${name}</a
    > `;
  });
}

/** The relative path from a requested path to the top. */
export function rootOf(path: string): string {
  return '../'.repeat(path.split('/').length - 2);
}

/** The address of the top itself. */
export function atTop(root: string): string {
  return root === '' ? './' : root;
}
