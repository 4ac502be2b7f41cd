/** The HTTP application: what holds for every request, and the routes. */
import { OpenAPIHono } from '@hono/zod-openapi';
import { createMiddleware } from 'hono/factory';
import { CrossfootError } from '../errors.ts';
import { errorFields } from '../log.ts';
import { readToday } from '../ledger/today.ts';
import { accompany, type AccompanyParts } from './access-log.ts';
import { type AssistantParts, assistantRoutes } from './assistant/routes.ts';
import type { ServeEnv } from './authenticate.ts';
import { descriptionRoutes, type DescriptionParts } from './description-routes.ts';
import { type DiffParts, diffRoutes } from './diff-route.ts';
import { answerError, errorAnswer } from './error-answer.ts';
import { createFigureSlots } from './figure-slots.ts';
import { answerJson } from './json-answer.ts';
import { type LinkParts, linkRoutes } from './link-routes.ts';
import { type LimitParts, limitRequests } from './limit-requests.ts';
import { acceptNoParameters } from './parameters.ts';
import { type ReadApiParts, readApiRoutes } from './read-api.ts';
import { type PullClients, pullRoutes } from './pull-routes.ts';
import type { Readiness } from './readiness.ts';
import { pageRoutes, type PageParts } from './pages/page-routes.ts';
import { schemaRoutes } from './pages/schema-routes.ts';
import { proofRoutes } from './proof-routes.ts';
import { reportingRoutes } from './reporting-routes.ts';
import { keepRoi } from './roi-answer.ts';
import { siteRoutes, type SiteParts } from './site/site-routes.ts';
import { warehouseRoutes } from './warehouse-routes.ts';

/** What answers live; the application adds what its routes share. */
type LiveParts = Omit<ReadApiParts & AssistantParts, 'figureSlots' | 'keptRoi' | 'readToday'>;

export interface AppParts
  extends
    AccompanyParts,
    DescriptionParts,
    DiffParts,
    LimitParts,
    LinkParts,
    PageParts,
    SiteParts,
    LiveParts {
  readonly pullClients: PullClients;
  readonly readiness: Readiness;
  /** The day it is; not given, by the database's clock. */
  readonly readToday?: ReadApiParts['readToday'];
}

/** Where nothing but reading is done. */
const READ_ONLY = [
  '/',
  '/docs/*',
  '/healthz',
  '/links/*',
  '/night',
  '/pull.mjs',
  '/pull.py',
  '/readyz',
  '/snapshots/*',
  '/tables/*',
  '/v1/*',
];

/** The application as a function from request to response; nothing listens yet. */
export function createApp(parts: AppParts): OpenAPIHono<ServeEnv> {
  const app = new OpenAPIHono<ServeEnv>();
  app.use(accompany(parts), limitRequests(parts));
  for (const path of READ_ONLY) app.use(path, refuseOtherMethods);
  app.onError((error, c) => {
    const answer = answerError(error);
    if (answer.status >= 500) c.var.logger.error('request.failed', errorFields(error));
    return answer;
  });
  app.notFound(() => answerError(new CrossfootError('not_found', 'There is no such route.')));

  app.get('/healthz', acceptNoParameters, (c) =>
    answerJson(c, { status: 'ok' }, { 'cache-control': 'no-store' }),
  );
  app.get('/readyz', acceptNoParameters, async (c) => {
    const missing = await parts.readiness();
    if (missing.length === 0) return answerJson(c, { status: 'ok' }, { 'cache-control': 'no-store' });
    return errorAnswer(503, `Not ready: no answer from the ${missing.join(' and the ')}.`);
  });
  // The page of the API stands where an article could: it comes first.
  app.route('/', descriptionRoutes(parts));
  app.route('/', siteRoutes(parts));
  app.route('/', schemaRoutes(parts.schema));
  app.route('/', pageRoutes(parts));
  app.route('/', pullRoutes(parts.pullClients));
  app.route('/', linkRoutes(parts));
  app.route('/v1', warehouseRoutes());
  app.route('/v1', reportingRoutes(parts));
  app.route('/v1', proofRoutes(parts));
  app.route('/v1', diffRoutes(parts));
  const live = { readToday, ...parts, figureSlots: createFigureSlots(), keptRoi: keepRoi() };
  app.route('/v1', readApiRoutes(live));
  app.route('/', assistantRoutes(live));
  return app;
}

/** HEAD is answered by the GET routes. */
const refuseOtherMethods = createMiddleware(async (c, next) => {
  if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
    throw new CrossfootError('method_refused', 'Every route is a GET.');
  }
  await next();
});
