/** The 404 answer to an address that no route has: a page for a person's browser, JSON for a program. */
import type { Context } from 'hono';
import { html } from 'hono/html';
import { CrossfootError } from '../../errors.ts';
import { answerError } from '../http/error-answer.ts';
import { PAGE_SOURCES, pagePolicy } from './page-guard.ts';
import { atTop, rootOf, sitePage } from './site-layout.ts';

/** Paths that programs call: they get JSON always, because HTML would break them. */
const OF_PROGRAMS = /^\/(?:v1|mcp|delta-sharing|\.well-known)(?:\/|$)/;
/** Paths that a client of the assistant without a token asks for, to register itself. */
const OF_SIGN_IN =
  /^\/(?:register|authorize|token|\.well-known\/(?:oauth-authorization-server|openid-configuration))(?:\/|$)/;
const SIGN_IN =
  'There is no such route. Send an access token in the header Authorization; /docs/assistant says how.';
const HTML = 'text/html; charset=utf-8';

/** Whether a person's browser asks. It names `text/html` in `Accept`; the clients of the API do not. */
export function asksForPage({ req }: Context): boolean {
  return req.method === 'GET' && /\btext\/html\b/.test(req.header('accept') ?? '');
}

/** Status 404 in either form. */
export async function answerUnknown(c: Context): Promise<Response> {
  const { path } = c.req;
  if (!asksForPage(c) || OF_PROGRAMS.test(path)) {
    const message = OF_SIGN_IN.test(path) ? SIGN_IN : 'There is no such route.';
    return answerError(new CrossfootError('not_found', message));
  }
  const root = rootOf(path);
  const body = html`<h1>There is no such page</h1>
    <p>
      The <a href="${atTop(root)}">overview</a> leads to every page of an account,
      <a href="${root}docs">the documentation</a> to every article.
    </p>`;
  return new Response(await sitePage({ title: 'There is no such page', root, here: null, body }), {
    status: 404,
    headers: {
      'content-type': HTML,
      'cache-control': 'no-store',
      'content-security-policy': pagePolicy(PAGE_SOURCES, { forms: false }),
      'referrer-policy': 'no-referrer',
    },
  });
}
