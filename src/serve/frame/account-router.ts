/** The router of an account's own answers: the policy of pages, no cache, and errors as pages. */
import { type Context, Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { errorFields } from '../../log.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { answerError, refusalOfError, retryAfter } from '../http/error-answer.ts';
import { guardPage, PAGE_SOURCES } from './page-guard.ts';
import { framedPage } from './page-frame.ts';
import { refusalContent } from './sign-in-page.ts';
import { formTokenFor, type SignInParts } from './signed-in.ts';
import { rootOf } from './site-layout.ts';
import { asksForPage } from './unknown-address.ts';

/** Guards these paths for every method; `loads` are sources besides those of every page. */
export function accountRouter(
  parts: SignInParts,
  paths: readonly string[],
  loads: readonly string[] = [],
): Hono<ServeEnv> {
  const routes = new Hono<ServeEnv>();
  const guard = guardPage([...PAGE_SOURCES, ...loads], { forms: 'sent' });
  routes.onError(answerRefusal(parts));
  for (const path of paths) routes.use(path, guard, withoutCaching);
  return routes;
}

/** Lets no cache store an account's pages: the next person at the same browser must not see them. */
const withoutCaching = createMiddleware(async (c, next) => {
  await next();
  c.header('cache-control', 'no-store');
});

/** The router of a page that is the same for every reader. Its refusals are pages for people, and JSON for programs. */
export function publicRouter(path: string, loads: readonly string[], hasForm: boolean): Hono<ServeEnv> {
  const routes = new Hono<ServeEnv>();
  routes.onError((error, c) => (asksForPage(c) ? refusalPage(error, c, null) : answerError(error)));
  routes.use(path, guardPage([...PAGE_SOURCES, ...loads], { forms: hasForm && 'search' }));
  return routes;
}

/** Errors as pages, with the messages of the API. */
function answerRefusal(parts: SignInParts) {
  return (error: Error, c: Context<ServeEnv>) => refusalPage(error, c, formTokenFor(c, parts));
}

async function refusalPage(error: Error, c: Context<ServeEnv>, form_token: string | null): Promise<Response> {
  const { status, message } = refusalOfError(error);
  if (status >= 500) c.var.logger.error('request.failed', errorFields(error));
  const root = rootOf(c.req.path);
  return new Response(await framedPage({ ...refusalContent(root, message), root, form_token }), {
    status,
    headers: [
      ['content-type', 'text/html; charset=utf-8'],
      ['cache-control', 'no-store'],
      ...retryAfter(status),
    ],
  });
}
