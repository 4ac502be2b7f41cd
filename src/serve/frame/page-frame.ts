/** The frame of a page at `/`: navigation, and what a signed-in person can do on every page. */
import { html } from 'hono/html';
import { type Html, sitePage, type Way } from './site-layout.ts';

interface Framed {
  readonly title: string;
  /** The relative path from the page to the top. */
  readonly root: string;
  readonly here: Way | null;
  /** The entries of the navigation; all if omitted. */
  readonly ways?: readonly Way[];
  /** The snapshot that the reader chose: the navigation keeps it. */
  readonly snapshot?: string;
  readonly body: Html;
  /** The token that every form of the session sends; null when not signed in. */
  readonly form_token: string | null;
  /** Scripts, as paths from the top. */
  readonly scripts?: readonly string[];
}

/** The name of the field in which a form sends its token. */
export const FORM_TOKEN = 'form_token';

/** The whole HTML document. */
export async function framedPage({ form_token, ...page }: Framed): Promise<string> {
  if (form_token === null) return await sitePage(page);
  const more = html`<form method="post" action="${page.root}sign-out">
    <input type="hidden" name="${FORM_TOKEN}" value="${form_token}" />
    <button>Sign out</button>
  </form>`;
  return await sitePage({ ...page, more });
}
