/** What surrounds every page for people: its head, the way to the others, and the place for its text. */
import { html } from 'hono/html';

/** Escaped already; what is put into another page's markup is not escaped again. */
export type Html = ReturnType<typeof html>;

interface Framed {
  readonly title: string;
  /**
   * What leads from the page to the top: nothing, `../` or more. Addresses are relative, so that the pages also work
   * where a proxy has put them below a path of its own.
   */
  readonly root: string;
  readonly body: Html;
  /** What only some may see or do, at the end of the ways to other pages. */
  readonly more?: Html;
}

/** The whole document. */
export async function sitePage({ title, root, body, more }: Framed): Promise<string> {
  return String(
    await html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>${title} · Crossfoot</title>
          <link rel="icon" href="data:," />
          <link rel="stylesheet" href="${root}docs/site.css" />
        </head>
        <body>
          <a class="skip" href="#text">Skip to the text</a>
          <header>
            <nav aria-label="Site">
              <a href="${root === '' ? './' : root}">Snapshots</a> <a href="${root}tables">Tables</a>
              <a href="${root}docs">Documentation</a> <a href="${root}docs/api">API reference</a>
            </nav>
            ${more ?? ''}
          </header>
          <main id="text">${body}</main>
        </body>
      </html> `,
  );
}
