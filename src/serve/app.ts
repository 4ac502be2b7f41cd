/** The HTTP application: what holds for every request, and the routes. */
import { OpenAPIHono } from '@hono/zod-openapi';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { CrossfootError } from '../errors.ts';
import { readToday } from '../ledger/today.ts';
import { errorFields } from '../log.ts';
import { API_ROUTES, type ApiParts } from './api-routes.ts';
import { type AssistantParts, assistantRoutes } from './assistant/routes.ts';
import type { ServeEnv } from './auth/authenticate.ts';
import { type ApiPageParts, apiPageRoutes } from './contract/api-page-routes.ts';
import { describeApi } from './contract/document.ts';
import { accompany, type AccompanyParts } from './http/access-log.ts';
import { compressText } from './http/compress-text.ts';
import { answerError, errorAnswer } from './http/error-answer.ts';
import { answerJson } from './http/json-answer.ts';
import { acceptNoParameters } from './http/parameters.ts';
import type { Readiness } from './http/readiness.ts';
import { createFigureSlots } from './limits/figure-slots.ts';
import { type LimitParts, limitRequests } from './limits/limit-requests.ts';
import { keepRoi } from './live/roi.ts';
import { pageRoutes, type PageParts } from './pages/page-routes.ts';
import { schemaRoutes } from './pages/schema-routes.ts';
import { linkedTable, type LinkedTableParts } from './reporting/linked-table.ts';
import { type PullClients, pullRoutes } from './reporting/pull-routes.ts';
import { limitCsv } from './reporting/table-csv.ts';
import { siteRoutes, type SiteParts } from './site/site-routes.ts';

/** What the application makes itself, for all of its routes. */
type Shared = 'csvAtOnce' | 'describe' | 'figureSlots' | 'keptRoi' | 'readToday';

export interface AppParts
  extends
    AccompanyParts,
    LimitParts,
    ApiPageParts,
    PageParts,
    SiteParts,
    LinkedTableParts,
    Omit<ApiParts, Shared>,
    Omit<AssistantParts, Shared> {
  readonly pullClients: PullClients;
  readonly readiness: Readiness;
  /** The day it is; by the database's clock if omitted. */
  readonly readToday?: ApiParts['readToday'];
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
  app.route('/', apiPageRoutes(parts));
  app.route('/', siteRoutes(parts));
  app.route('/', schemaRoutes(parts.schema));
  app.route('/', pageRoutes(parts));
  app.route('/', pullRoutes(parts.pullClients));
  linkedTable.register(app, parts);
  const shared = {
    readToday,
    ...parts,
    csvAtOnce: limitCsv(),
    describe: () => describeApi(parts.baseUrl()),
    figureSlots: createFigureSlots(),
    keptRoi: keepRoi(),
  };
  const api = new OpenAPIHono<ServeEnv>();
  for (const route of API_ROUTES) route.register(api, shared);
  app.route('/v1', api);
  app.route('/', assistantRoutes(shared));
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
