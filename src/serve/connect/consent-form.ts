/** Takes the answer of the page of consent, and leads back to the client. */
import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { ServeEnv } from '../auth/authenticate.ts';
import { accountRouter } from '../frame/account-router.ts';
import { readOwnForm } from '../frame/own-form.ts';
import { framedPage } from '../frame/page-frame.ts';
import { formTokenFor, requireFormToken, requireSession } from '../frame/signed-in.ts';
import { acceptNoParameters, refusedParameter } from '../http/parameters.ts';
import { resourceOf } from '../auth/well-known.ts';
import { AUTHORIZE_PATH } from './addresses.ts';
import {
  ANSWER,
  answerTo,
  type ConsentParts,
  knownRequest,
  REQUEST,
  requirePersonal,
} from './consent-page.ts';
import { placeOf } from './redirect-address.ts';

const REFUSED = { error: 'access_denied', sentence: 'The person refused.' } as const;

/** The route of the form. The request is read again: only the answer is the person's. */
export function consentRoute(parts: ConsentParts): Hono<ServeEnv> {
  const { records, tokens } = parts.signIn;
  const routes = accountRouter(parts, [AUTHORIZE_PATH]);
  routes.post(AUTHORIZE_PATH, acceptNoParameters, requireSession(parts), async (c) => {
    const form = await readOwnForm(c, parts.baseUrl());
    requireFormToken(c, form, parts);
    requirePersonal(c);
    const request = await knownRequest(parts, new URLSearchParams(form.get(REQUEST) ?? ''));
    const { asked, client, redirect_uri } = request;
    const wanted = form.get(ANSWER);
    if ('error' in asked || (wanted !== 'allow' && wanted !== 'refuse')) {
      throw refusedParameter('This form is not as its page sent it; load the page again.');
    }
    const { account_id, token_id } = c.var.principal;
    const { challenge } = asked;
    const audience = resourceOf(parts.baseUrl());
    let answer: { readonly code: string } | typeof REFUSED = REFUSED;
    if (wanted === 'allow') {
      const code = tokens.make('code', audience);
      const code_sha256 = tokens.digest('code', code, audience) ?? Buffer.alloc(0); // it is ours
      await records.consent({
        account_id,
        token_id,
        client: client.id,
        redirect_uri,
        challenge,
        code_sha256,
      });
      c.var.logger.info('client.connected');
      answer = { code };
    }
    // No redirect of the form: browsers hold those to the policy of the page, which lets forms reach this server only.
    const address = answerTo(request, answer, parts.baseUrl());
    c.header('refresh', `0;url=${address}`);
    const body = html`<h1>${wanted === 'allow' ? 'Connected' : 'Not connected'}</h1>
      <p class="lead">
        ${wanted === 'allow' ? `${client.name} may now ask.` : `${client.name} was told that you refused.`}
      </p>
      <p>Nothing happens? <a href="${address}">Go on to ${placeOf(redirect_uri)}</a>.</p>`;
    const title = wanted === 'allow' ? 'Connected' : 'Not connected';
    return c.html(
      await framedPage({ title, root: '', here: null, body, form_token: formTokenFor(c, parts) }),
    );
  });
  return routes;
}
