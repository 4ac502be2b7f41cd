/** The router of an account's own answers: the policy of pages, no cache, and errors as pages. */
import { type Context, Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { errorFields } from '../../log.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { refusalOfError, retryAfter } from '../http/error-answer.ts';
import { guardPage, PAGE_SOURCES } from './page-guard.ts';
import { framedPage } from './page-frame.ts';
import { refusalContent } from './sign-in-page.ts';
import { formTokenFor, type SignInParts } from './signed-in.ts';
import { rootOf } from './site-layout.ts';

/** Guards these paths for every method; `loads` are sources besides those of every page. */
export function accountRouter(
  parts: SignInParts,
  paths: readonly string[],
  loads: readonly string[] = [],
): Hono<ServeEnv> {
  const routes = new Hono<ServeEnv>();
  const guard = guardPage([...PAGE_SOURCES, ...loads], { forms: true });
  routes.onError(answerRefusal(parts));
  for (const path of paths) routes.use(path, guard, withoutCaching);
  return routes;
}

/** Lets no cache store an account's pages: the next person at the same browser must not see them. */
const withoutCaching = createMiddleware(async (c, next) => {
  await next();
  c.header('cache-control', 'no-store');
});

/** Errors as pages, with the messages of the API. */
function answerRefusal(parts: SignInParts) {
  return async (error: Error, c: Context<ServeEnv>): Promise<Response> => {
    const { status, message } = refusalOfError(error);
    if (status >= 500) c.var.logger.error('request.failed', errorFields(error));
    const root = rootOf(c.req.path);
    const form_token = formTokenFor(c, parts);
    return new Response(await framedPage({ ...refusalContent(root, message), root, form_token }), {
      status,
      headers: [['content-type', 'text/html; charset=utf-8'], ...retryAfter(status)],
    });
  };
}
