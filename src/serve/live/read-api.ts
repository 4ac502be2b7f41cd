/** The read API: every resource as a route below /v1, live, for personal tokens. */
import { OpenAPIHono } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { noSuchRecord } from '../../ledger/lists/seen-initiative.ts';
import {
  type Authenticate,
  refuseReportingTokens,
  requireToken,
  type ServeEnv,
} from '../auth/authenticate.ts';
import { listRoute, recordRoute } from '../contract/records.ts';
import { roiRoute } from '../contract/roi.ts';
import { answerLive } from './live-answer.ts';
import { parameterRefusal } from '../http/parameter-refusal.ts';
import { acceptParameters } from '../http/parameters.ts';
import { readId } from './queries.ts';
import type { ListParts, Resource } from './resource.ts';
import { RESOURCES } from '../resources/all.ts';
import { answerRoi, type RoiParts } from './roi-answer.ts';

export interface ReadApiParts extends ListParts, RoiParts {
  readonly authenticate: Authenticate;
}

/** The routes of the read API. */
export function readApiRoutes(parts: ReadApiParts): OpenAPIHono<ServeEnv> {
  const routes = new OpenAPIHono<ServeEnv>({
    defaultHook: (result) => {
      if (!result.success) throw parameterRefusal(result.error);
    },
  });
  addRoi(routes, parts);
  for (const resource of RESOURCES) {
    addList(routes, resource, parts);
    if (resource.find !== null) addRecord(routes, { ...resource, find: resource.find }, parts);
  }
  return routes;
}

function addRoi(routes: OpenAPIHono<ServeEnv>, parts: ReadApiParts): void {
  const middleware = guards(parts, Object.keys(roiRoute.request.query.shape));
  routes.openapi({ ...roiRoute, middleware }, async (c) =>
    answerLive(c, await answerRoi(parts, c.var.principal.account_id, c.req.valid('query'))),
  );
}

function addList(routes: OpenAPIHono<ServeEnv>, resource: Resource, parts: ReadApiParts): void {
  const route = listRoute(resource);
  const middleware = guards(parts, Object.keys(route.request.query.shape));
  routes.openapi({ ...route, middleware }, async (c) => {
    const account_id = c.var.principal.account_id;
    return answerLive(c, await resource.page(parts, account_id, c.req.valid('query')));
  });
}

/** Whatever names no record is 404, and so is an id that is no id. */
function addRecord(
  routes: OpenAPIHono<ServeEnv>,
  resource: Resource & { readonly find: NonNullable<Resource['find']> },
  parts: ReadApiParts,
): void {
  const { find, timeout_ms } = resource;
  routes.openapi({ ...recordRoute(resource), middleware: guards(parts, []) }, async (c) => {
    const named = readId(c.req.valid('param').id);
    const account_id = c.var.principal.account_id;
    const found =
      named === null
        ? null
        : await parts.inAccount({ account_id, timeout_ms }, (client) => find(client, account_id, named));
    if (found === null) throw noSuchRecord();
    return answerLive(c, found);
  });
}

/** In this order: nobody without a valid token learns which parameters a route takes. */
function guards({ authenticate }: ReadApiParts, names: readonly string[]): MiddlewareHandler<ServeEnv>[] {
  return [requireToken(authenticate), refuseReportingTokens, acceptParameters(names)];
}
