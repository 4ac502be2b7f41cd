/** The read API: every resource as a route below /v1, live, for personal tokens. */
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import type { ClientBase } from 'pg';
import { CrossfootError } from '../errors.ts';
import type { AccountSession } from '../ledger/account-session.ts';
import { type Authenticate, refuseReportingTokens, requireToken, type ServeEnv } from './authenticate.ts';
import type { Cursors } from './cursor.ts';
import { answerLive } from './live-answer.ts';
import { acceptParameters } from './parameters.ts';
import { cursor, limit } from './queries.ts';
import type { Resource } from './resource.ts';
import { RESOURCES } from './resources/all.ts';
import { errorShape, listOf } from './shapes.ts';

export interface ReadApiParts {
  readonly authenticate: Authenticate;
  readonly cursors: Cursors;
  /** Runs a transaction on the ledger's primary that sees one account. */
  readonly inAccount: <Result>(
    session: AccountSession,
    run: (client: ClientBase) => Promise<Result>,
  ) => Promise<Result>;
}

/** The routes of the read API. */
export function readApiRoutes(parts: ReadApiParts): OpenAPIHono<ServeEnv> {
  const routes = new OpenAPIHono<ServeEnv>({
    defaultHook: (result) => {
      if (!result.success) throw refusal(result.error);
    },
  });
  for (const resource of RESOURCES) addList(routes, resource, parts);
  return routes;
}

function addList(routes: OpenAPIHono<ServeEnv>, resource: Resource, parts: ReadApiParts): void {
  const { name, component, sentence, row, filters, timeout_ms } = resource;
  const query = z.strictObject({ limit, cursor, ...filters });
  const route = createRoute({
    method: 'get',
    path: `/${name}`,
    operationId: `list_${name}`,
    summary: sentence,
    middleware: guards(parts, Object.keys(query.shape)),
    request: { query },
    responses: {
      200: answerOf('A page of the list.', listOf(row, `${component}List`)),
      ...refusals(400, 404),
    },
  });
  routes.openapi(route, async (c) => {
    const accountId = c.var.principal.account_id;
    const read = resource.question(parts.cursors, accountId, c.req.valid('query'));
    return answerLive(c, await parts.inAccount({ accountId, timeout_ms }, read));
  });
}

/** In this order: nobody without a valid token learns which parameters a route takes. */
function guards({ authenticate }: ReadApiParts, names: readonly string[]): MiddlewareHandler<ServeEnv>[] {
  return [requireToken(authenticate), refuseReportingTokens, acceptParameters(names)];
}

const REFUSALS = {
  400: 'A parameter is not one the route accepts.',
  401: 'The token is missing, unknown or expired.',
  403: "The account's plan lacks API access, or the token reads reporting tables only.",
  404: 'There is no such record in this account.',
  429: 'Too many requests.',
  503: 'The service cannot answer right now.',
} as const;

/** What a route may answer beside its 200: what every route may, and these. */
function refusals(...own: readonly (400 | 404)[]) {
  const all = ([...own, 401, 403, 429, 503] as const).toSorted();
  return Object.fromEntries(all.map((status) => [status, answerOf(REFUSALS[status], errorShape)]));
}

function answerOf<Shape extends z.ZodType>(description: string, schema: Shape) {
  return { description, content: { 'application/json': { schema } } };
}

/** The first fault, as a sentence that names the parameter and never repeats its value. */
function refusal(error: {
  readonly issues: readonly { path: PropertyKey[]; message: string }[];
}): CrossfootError {
  const [issue] = error.issues;
  const name = String(issue?.path[0]);
  return new CrossfootError('parameter_refused', `The parameter ${name} ${issue?.message}.`);
}
