/** The HTTP application: middleware for every request, and the routes. */
import { OpenAPIHono } from '@hono/zod-openapi';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { CrossfootError } from '../errors.ts';
import { readToday } from '../ledger/clock.ts';
import { errorFields } from '../log.ts';
import { API_ROUTES, type ApiParts } from './api-routes.ts';
import { type AssistantParts, assistantRoutes } from './assistant/routes.ts';
import type { ServeEnv } from './auth/authenticate.ts';
import { allowBrowserClients, CLIENT_PATHS } from './browser-clients.ts';
import { registerSignIn } from './connect/routes.ts';
import type { AssistantSignIn } from './connect/sign-in-parts.ts';
import type { ApiDocument } from './contract/document.ts';
import { requestLog, type RequestLogParts } from './access-log.ts';
import { compressText } from './http/compress-text.ts';
import { answerError, errorAnswer } from './http/error-answer.ts';
import { cancelHeadBody } from './http/head-body.ts';
import { answerJson } from './http/json-answer.ts';
import { acceptNoParameters } from './http/parameters.ts';
import type { Readiness } from './http/readiness.ts';
import { createFigureSlots } from './limits/figure-slots.ts';
import { type LimitParts, limitRequests } from './limits/limit-requests.ts';
import { createComparisonCache } from './live/budget-comparisons.ts';
import { createRoiCaches } from './live/ledger-roi.ts';
import { createFrozenRoi } from './live/snapshot-roi.ts';
import { registerPages, type PageParts } from './page-routes.ts';
import { SHARING_PATH } from './sharing/sharing-path.ts';
import { linkedChanges, type LinkedChangesParts } from './sharing/linked-changes.ts';
import { protocolErrors } from './sharing/protocol-errors.ts';
import { sharingRoutes } from './sharing/routes.ts';
import { linkedTable } from './reporting/linked-table.ts';
import { type PullClients, pullRoutes } from './reporting/pull-routes.ts';
import { limitCsv } from './reporting/table-csv.ts';
import { answerUnknown } from './frame/unknown-address.ts';

/** Parts that the application creates itself and shares between its routes. */
type Shared =
  | 'comparisons'
  | 'csvLimit'
  | 'describe'
  | 'figureSlots'
  | 'frozenRoi'
  | 'portfolioCache'
  | 'roiCache'
  | 'readToday';

export interface AppParts
  extends
    RequestLogParts,
    LimitParts,
    Omit<PageParts, Shared>,
    LinkedChangesParts,
    Omit<ApiParts, Shared>,
    Omit<AssistantParts, Shared> {
  /** The contract of every route, as `npm run generate` wrote it. */
  readonly contract: ApiDocument;
  /** The public address of the API. */
  readonly baseUrl: () => string;
  readonly pullClients: PullClients;
  /** The sign-in of assistants; null while it is switched off. */
  readonly signIn: AssistantSignIn | null;
  readonly readiness: Readiness;
  /** Today's date; from the database's clock if omitted. */
  readonly readToday?: ApiParts['readToday'];
}

/** The application as a function from request to response. It does not listen on a port. */
export function createApp(parts: AppParts): OpenAPIHono<ServeEnv> {
  const app = new OpenAPIHono<ServeEnv>();
  const csvLimit = limitCsv();
  const describe = (): ApiDocument => ({ ...parts.contract, servers: [{ url: parts.baseUrl() }] });
  app.use(
    cancelHeadBody,
    requestLog(parts),
    compressText,
    methodNotAllowed({ app, onMethodNotAllowed: (_, methods) => refuseMethod(methods) }),
  );
  app.onError((error, c) => {
    const answer = answerError(error);
    if (answer.status >= 500) c.var.logger.error('request.failed', errorFields(error));
    return answer;
  });
  app.notFound(answerUnknown);

  app.get('/healthz', acceptNoParameters, (c) =>
    answerJson(c, { status: 'ok' }, { 'cache-control': 'no-store' }),
  );
  app.get('/readyz', acceptNoParameters, async (c) => {
    const missing = await parts.readiness();
    if (missing.length === 0) {
      // With a damaged publish log all other snapshots are still served. Taking this server out would not repair the log.
      const broken = await parts.snapshots.countBrokenLogs();
      const damaged = await parts.snapshots.countDamagedForAll();
      const faults = {
        ...(broken > 0 && { broken_logs: broken }),
        ...(damaged > 0 && { damaged_files: damaged }),
      };
      const status = { status: broken + damaged === 0 ? 'ok' : 'degraded', ...faults };
      return answerJson(c, status, { 'cache-control': 'no-store' });
    }
    return errorAnswer(503, `Not ready: no answer from the ${missing.join(' and the ')}.`);
  });
  app.use(`${SHARING_PATH}/*`, protocolErrors);
  // The health routes come before every limit: a probe may share its address with a client that has used up its quota.
  app.use(limitRequests(parts));
  registerPages(app, { ...parts, csvLimit, describe });
  if (parts.signIn !== null) {
    for (const path of CLIENT_PATHS) app.use(path, allowBrowserClients(parts.baseUrl));
    registerSignIn(app, { ...parts, signIn: parts.signIn });
  }
  app.route('/', pullRoutes(parts.pullClients));
  linkedTable.register(app, parts);
  linkedChanges.register(app, parts);
  const shared = {
    readToday,
    ...parts,
    csvLimit,
    describe,
    figureSlots: createFigureSlots(),
    ...createRoiCaches(),
    comparisons: createComparisonCache(),
    frozenRoi: createFrozenRoi(),
  };
  const api = new OpenAPIHono<ServeEnv>();
  for (const route of API_ROUTES) route.register(api, shared);
  app.route('/v1', api);
  app.route('/', assistantRoutes(shared));
  app.route('/', sharingRoutes(parts));
  return app;
}

/** The 405 of a known path whose method is not allowed. */
function refuseMethod(methods: readonly string[]): Response {
  const allow = methods.toSorted().join(', ');
  const message = allow === 'GET, HEAD' ? 'Every route is a GET.' : `This route answers ${allow} only.`;
  const answer = answerError(new CrossfootError('method_refused', message));
  answer.headers.set('allow', allow);
  return answer;
}
