/** The frame of every page for people: head, navigation, and the place for the content. */
import { html, raw } from 'hono/html';

/** Escaped HTML: inserted into other markup it is not escaped again. */
export type Html = ReturnType<typeof html>;

/** The links at the top of every page. */
const WAYS = [
  ['', 'Snapshots'],
  ['night', "Tonight's run"],
  ['tables', 'Tables'],
  ['docs', 'Documentation'],
  ['docs/api', 'API reference'],
] as const;
const STYLES = ['docs/site.css'];
const CURRENT = raw('aria-current="true"');

export type Way = (typeof WAYS)[number][0];

/** The logo: four sums, the last of which is crossfooted. */
const SQUARES = 'M1 1h6v6H1zM9 1h6v6H9zM1 9h6v6H1z';
const SUM = 'M9 9h6v6H9z';
const MARK = html`<svg viewBox="0 0 16 16" aria-hidden="true">
  <path d="${SQUARES}" />
  <path d="${SUM}" />
</svg>`;
const ICON = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#8a97a8" d="${SQUARES}"/><path fill="#2f7de1" d="${SUM}"/></svg>`,
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
  readonly body: Html;
  /** Additions at the end of the navigation, for signed-in readers. */
  readonly more?: Html;
  /** Further style sheets, as paths from the top. */
  readonly styles?: readonly string[];
  readonly scripts?: readonly string[];
}

/** The whole HTML document. */
export async function sitePage({
  title,
  root,
  here,
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
              <nav aria-label="Site">
                ${WAYS.map(
                  ([path, name]) =>
                    html`<a
                      href="${path === '' ? atTop(root) : `${root}${path}`}"
                      ${path === here ? CURRENT : ''}
                      >${name}</a
                    > `,
                )}
              </nav>
              ${more ?? ''}
            </div>
          </header>
          <main id="text">${body}</main>
          ${scripts.map((path) => html`<script src="${root}${path}"></script>`)}
        </body>
      </html> `,
  );
}

function atTop(root: string): string {
  return root === '' ? './' : root;
}
