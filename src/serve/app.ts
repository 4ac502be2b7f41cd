/** The HTTP application: what holds for every request, and the routes. */
import { OpenAPIHono } from '@hono/zod-openapi';
import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import { CrossfootError } from '../errors.ts';
import { errorFields, type Logger } from '../log.ts';
import type { SchemaDescription } from '../tables/describe.ts';
import type { ServeEnv } from './authenticate.ts';
import { answerError } from './error-answer.ts';
import { answerJson } from './json-answer.ts';
import { acceptNoParameters } from './parameters.ts';
import { type ReadApiParts, readApiRoutes } from './read-api.ts';
import { reportingRoutes, type ReportingParts } from './reporting-routes.ts';

export interface AppParts extends ReportingParts, ReadApiParts {
  readonly schema: SchemaDescription;
  readonly logger: Logger;
  readonly newRequestId: () => string;
  /** Milliseconds of a clock that only goes forward. */
  readonly clock: () => number;
}

/** The application as a function from request to response; nothing listens yet. */
export function createApp(parts: AppParts): OpenAPIHono<ServeEnv> {
  const app = new OpenAPIHono<ServeEnv>();
  app.use(accompany(parts));
  app.use('/v1/*', refuseOtherMethods);
  app.use('/healthz', refuseOtherMethods);
  app.onError((error, c) => {
    const answer = answerError(error);
    if (answer.status >= 500) c.var.logger.error('request.failed', errorFields(error));
    return answer;
  });
  app.notFound(() => answerError(new CrossfootError('not_found', 'There is no such route.')));

  app.get('/healthz', acceptNoParameters, (c) =>
    answerJson(c, { status: 'ok' }, { 'cache-control': 'no-store' }),
  );
  // Names columns only, so it needs no token and any cache may keep it.
  app.get('/v1/reporting/schema.json', acceptNoParameters, (c) =>
    answerJson(c, parts.schema, { 'cache-control': 'public, max-age=300' }),
  );
  app.route('/v1/reporting', reportingRoutes(parts));
  app.route('/v1', readApiRoutes(parts));
  return app;
}

/** Gives each request an id and a logger, and its answer the headers and the log line that every answer gets. */
function accompany({ logger, newRequestId, clock }: AppParts) {
  return createMiddleware<ServeEnv>(async (c, next) => {
    const request_id = newRequestId();
    const began = clock();
    c.set('logger', logger.with({ request_id }));
    await next();
    c.header('x-request-id', request_id);
    c.header('x-content-type-options', 'nosniff');
    // The route's pattern, never the path: a path may hold what somebody pasted into it.
    const fields = {
      method: c.req.method,
      route: routePath(c, -1),
      status: c.res.status,
      ms: clock() - began,
    };
    c.var.logger.info('request.answered', fields);
  });
}

/** HEAD is answered by the GET routes. */
const refuseOtherMethods = createMiddleware(async (c, next) => {
  if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
    throw new CrossfootError('method_refused', 'Every route is a GET.');
  }
  await next();
});
