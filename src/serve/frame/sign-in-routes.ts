/** Sign-in with a token, and sign-out. */
import { timingSafeEqual } from 'node:crypto';
import type { Hono } from 'hono';
import { redirectWithin } from '../http/header-values.ts';
import { CrossfootError } from '../../errors.ts';
import { acceptHolder, type ServeEnv } from '../auth/authenticate.ts';
import { acceptNoParameters } from '../http/parameters.ts';
import { tokenDigest, tokenKind } from '../auth/token.ts';
import { accountRouter } from './account-router.ts';
import { FORM_PATHS, readOwnForm } from './own-form.ts';
import { FORM_TOKEN } from './page-frame.ts';
import { ownAddress, REQUESTED } from '../auth/requested-address.ts';
import { endSession, formTokenFor, keepSession, lookUp, type SignInParts } from './signed-in.ts';
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
    const wanted = formTokenFor(c, parts);
    if (wanted !== null && !isSame(form.get(FORM_TOKEN) ?? '', wanted)) {
      throw new CrossfootError('form_refused', 'This form belongs to another session; load the page again.');
    }
    await endSession(c, parts);
    return redirectWithin(c, './', 303);
  });
  routes.get('/sign-in', acceptNoParameters, (c) => redirectWithin(c, './', 303));
  return routes;
}

function isSame(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}
