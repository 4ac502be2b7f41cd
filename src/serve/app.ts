/** The HTTP application: what holds for every request, and the routes. */
import { OpenAPIHono } from '@hono/zod-openapi';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { CrossfootError } from '../errors.ts';
import { errorFields } from '../log.ts';
import { readToday } from '../ledger/today.ts';
import { accompany, type AccompanyParts } from './http/access-log.ts';
import { type AssistantParts, assistantRoutes } from './assistant/routes.ts';
import type { ServeEnv } from './auth/authenticate.ts';
import { descriptionRoutes, type DescriptionParts } from './contract/description-routes.ts';
import { compressText } from './http/compress-text.ts';
import { type DiffParts, diffRoutes } from './reporting/diff-route.ts';
import { answerError, errorAnswer } from './http/error-answer.ts';
import { createFigureSlots } from './limits/figure-slots.ts';
import { answerJson } from './http/json-answer.ts';
import { type LinkParts, linkRoutes } from './reporting/link-routes.ts';
import { type LimitParts, limitRequests } from './limits/limit-requests.ts';
import { acceptNoParameters } from './http/parameters.ts';
import { type ReadApiParts, readApiRoutes } from './live/read-api.ts';
import { type PullClients, pullRoutes } from './reporting/pull-routes.ts';
import type { Readiness } from './http/readiness.ts';
import { pageRoutes, type PageParts } from './pages/page-routes.ts';
import { schemaRoutes } from './pages/schema-routes.ts';
import { proofRoutes } from './reporting/proof-routes.ts';
import { reportingRoutes } from './reporting/reporting-routes.ts';
import { keepRoi } from './live/roi-answer.ts';
import { siteRoutes, type SiteParts } from './site/site-routes.ts';
import { warehouseRoutes } from './reporting/warehouse-routes.ts';

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

/** The application as a function from request to response; nothing listens yet. */
export function createApp(parts: AppParts): OpenAPIHono<ServeEnv> {
  const app = new OpenAPIHono<ServeEnv>();
  app.use(
    accompany(parts),
    compressText,
    methodNotAllowed({ app, onMethodNotAllowed: (_, methods) => refuseMethod(methods) }),
  );
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
    if (missing.length === 0) {
      // Everything is still served but what a damaged log names: taking this server out would mend nothing.
      const broken = await parts.snapshots.countBrokenLogs();
      const status = broken === 0 ? { status: 'ok' } : { status: 'degraded', broken_logs: broken };
      return answerJson(c, status, { 'cache-control': 'no-store' });
    }
    return errorAnswer(503, `Not ready: no answer from the ${missing.join(' and the ')}.`);
  });
  // The health routes stand above every limit: a probe may share its address with clients that have spent theirs.
  app.use(limitRequests(parts));
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

/** The refusal of a known path with a method that it does not have. */
function refuseMethod(methods: readonly string[]): Response {
  const allow = methods.toSorted().join(', ');
  const message = allow === 'GET, HEAD' ? 'Every route is a GET.' : `This route answers ${allow} only.`;
  const answer = answerError(new CrossfootError('method_refused', message));
  answer.headers.set('allow', allow);
  return answer;
}
