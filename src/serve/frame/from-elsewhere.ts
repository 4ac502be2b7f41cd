/**
 * A reader whom another site leads here, as the page of an assistant's client or a letter in a web mail does. The browser then
 * leaves out the cookie of the session (`SameSite=Strict`). So a page of ours leads on, and the browser sends the cookie.
 */
import type { Context } from 'hono';
import { html } from 'hono/html';
import { framedPage } from './page-frame.ts';
import { PUBLIC_WAYS } from './site-layout.ts';

/**
 * Whether another site opened this address in a tab, as browsers say over https and on this computer. What it sends by a form,
 * frames or loads stays without the cookie.
 */
export function isLedFromElsewhere({ req }: Context): boolean {
  return (
    req.method === 'GET' &&
    req.header('sec-fetch-site') === 'cross-site' &&
    req.header('sec-fetch-mode') === 'navigate' &&
    req.header('sec-fetch-dest') === 'document'
  );
}

/** A page that leads on to an address of ours. That address must not lead here again, also if the browser repeats its headers. */
export async function leadOn(c: Context, address: string, root: string): Promise<Response> {
  c.header('refresh', `0;url=${address}`);
  const body = html`<h1>One moment</h1>
    <p class="lead">Another site led you here. The page opens by itself.</p>
    <p>Nothing happens? <a href="${address}">Open the page</a>.</p>`;
  const page = { title: 'One moment', root, here: null, ways: PUBLIC_WAYS, body };
  return c.html(await framedPage({ ...page, form_token: null }));
}
