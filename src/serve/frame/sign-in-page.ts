/** The sign-in page, and the page of a refusal. */
import { html } from 'hono/html';
import { NO_TABLE } from '../reporting/table-parameter.ts';
import { framedPage } from './page-frame.ts';
import { REQUESTED } from '../auth/requested-address.ts';
import { atTop, type Html, MARK, PUBLIC_WAYS } from './site-layout.ts';

/** Asks for a token; `refusal` says why the previous one was refused, `requested` is the address to lead to. */
export async function signInPage(refusal: string | null, requested: string | null): Promise<string> {
  const note = html`<p class="note bad" role="alert" id="refusal">${refusal}</p>`;
  const body = html`<div class="door">
    ${MARK}
    <h1>Sign in</h1>
    <p class="lead">
      Crossfoot shows what a company’s AI initiatives cost and what they bring in. Every figure is of one
      moment of its books, and was added up twice.
    </p>
    ${refusal === null ? '' : note}
    <form class="sign-in" method="post" action="sign-in">
      <input type="text" name="username" value="token" autocomplete="username" hidden />
      ${requested === null ? '' : html`<input type="hidden" name="${REQUESTED}" value="${requested}" />`}
      <label for="token">Access token</label>
      <input
        id="token"
        name="token"
        type="password"
        required
        autofocus
        autocomplete="current-password"
        spellcheck="false"
        aria-describedby="${refusal === null ? 'where' : 'refusal where'}"
      />
      <p id="where">
        It is a token of the account whose snapshots you want to see. An Owner or Admin makes one;
        <a href="docs/tokens">the documentation tells how</a>. The server does not store the token. Your
        browser holds a sealed cookie for at most twelve hours, which no script can read.
      </p>
      <button>Sign in</button>
    </form>
  </div>`;
  const page = { title: 'Sign in', root: '', here: null, ways: PUBLIC_WAYS, body };
  return await framedPage({ ...page, form_token: null });
}

/** Shows an error message and links onwards. */
export function refusalContent(
  root: string,
  message: string,
): { readonly title: string; readonly here: null; readonly body: Html } {
  const body = html`<h1>This cannot be shown</h1>
    <p class="note bad" role="alert">${message}</p>
    <p>
      <a href="${atTop(root)}#snapshots">All snapshots</a>
      ${message === NO_TABLE ? html`· <a href="${root}tables">All tables</a>` : ''}
    </p>`;
  return { title: 'This cannot be shown', here: null, body };
}
