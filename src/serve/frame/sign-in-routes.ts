/** Sign-in with a token, and sign-out. */
import type { Hono } from 'hono';
import { redirectWithin } from '../http/header-values.ts';
import { acceptHolder, type ServeEnv } from '../auth/authenticate.ts';
import { acceptNoParameters } from '../http/parameters.ts';
import { tokenDigest, tokenKind } from '../auth/token.ts';
import { accountRouter } from './account-router.ts';
import { FORM_PATHS, readOwnForm } from './own-form.ts';
import { ownAddress, REQUESTED } from '../auth/requested-address.ts';
import { endSession, keepSession, lookUp, requireFormToken, type SignInParts } from './signed-in.ts';
import { signInPage } from './sign-in-page.ts';

const UNKNOWN = 'This access token is unknown, expired or no longer valid.';

/** The routes of both forms. A GET of their addresses redirects to the top. */
export function signInRoutes(parts: SignInParts): Hono<ServeEnv> {
  const routes = accountRouter(parts, FORM_PATHS);
  routes.post('/sign-in', acceptNoParameters, async (c) => {
    const form = await readOwnForm(c, parts.baseUrl());
    const requested = ownAddress(form.get(REQUESTED));
    const token = (form.get('token') ?? '').trim();
    const sha256 = tokenDigest(token);
    const holder = tokenKind(token) === null ? null : await lookUp(parts, sha256);
    // A wrong token costs more points than a request, as in the API, so that guessing is stopped.
    if (holder === null) return c.html(await signInPage(UNKNOWN, requested), 401);
    acceptHolder(c, holder);
    keepSession(c, sha256, parts);
    return redirectWithin(c, `./${requested ?? ''}`, 303);
  });
  routes.post('/sign-out', acceptNoParameters, async (c) => {
    const form = await readOwnForm(c, parts.baseUrl());
    requireFormToken(c, form, parts);
    await endSession(c, parts);
    return redirectWithin(c, './', 303);
  });
  routes.get('/sign-in', acceptNoParameters, (c) => redirectWithin(c, './', 303));
  return routes;
}
