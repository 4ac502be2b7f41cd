/** The frame of a page at `/`: with what a signed-in person may do from everywhere. */
import { html } from 'hono/html';
import { type Html, sitePage, type Way } from '../site/site-layout.ts';

interface Framed {
  readonly title: string;
  /** What leads from the page to the top. */
  readonly root: string;
  readonly here: Way | null;
  readonly body: Html;
  /** Goes with every form; null for whoever is not signed in. */
  readonly form_token: string | null;
}

/** The name of the field that a form of a session brings its token in. */
export const FORM_TOKEN = 'form_token';

/** The whole document. */
export async function framedPage({ form_token, ...page }: Framed): Promise<string> {
  if (form_token === null) return await sitePage(page);
  const more = html`<form method="post" action="${page.root}sign-out">
    <input type="hidden" name="${FORM_TOKEN}" value="${form_token}" />
    <button>Sign out</button>
  </form>`;
  return await sitePage({ ...page, more });
}
