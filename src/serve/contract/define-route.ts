/** Declares a route: path, parameters, responses and handler in one place. */
import { type OpenAPIHono, type RouteConfig, type RouteHandler, z } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import {
  type Authenticate,
  refuseReportingTokens,
  requireToken,
  type ServeEnv,
} from '../auth/authenticate.ts';
import { acceptParameters, parameterRefusal } from '../http/parameters.ts';

/** The declaration of a route, in the words of OpenAPI; every route is a GET. */
type Declaration = Omit<RouteConfig, 'method' | 'middleware'> & {
  readonly request?: { readonly query?: z.ZodObject; readonly params?: z.ZodObject };
  /** Runs before the guards. */
  readonly middleware?: MiddlewareHandler;
};
interface Get {
  readonly method: 'get';
}

export interface GuardParts {
  readonly authenticate: Authenticate;
}

/** A declared route: its part of the OpenAPI document, and how to register it. */
export interface ApiRoute<Parts> {
  readonly contract: RouteConfig;
  /** Adds the route with its guards and its checks of parameters. */
  readonly register: (app: OpenAPIHono<ServeEnv>, parts: Parts & GuardParts) => void;
}

/**
 * Declares a route. `open` is called once per application and returns the handler. `security: []` makes the route
 * public; below `/reporting` any token is accepted; every other route needs a personal token.
 */
export function defineRoute<Declared extends Declaration, Parts>(
  declared: Declared,
  open: (parts: Parts) => RouteHandler<Declared & Get, ServeEnv>,
): ApiRoute<Parts> {
  const contract = { ...declared, method: 'get' as const };
  return {
    contract,
    register(app, parts) {
      const middleware = [declared.middleware ?? [], guards(declared, parts)].flat();
      app.openapi({ ...routable(contract), middleware, hide: true }, open(parts), (result) => {
        if (!result.success) throw parameterRefusal(result.error);
      });
    },
  };
}

/** The checks before a handler. The token is checked first: without a valid token a client learns nothing about parameters. */
function guards(
  { path, security, request }: Declaration,
  { authenticate }: GuardParts,
): MiddlewareHandler<ServeEnv>[] {
  const parameters = acceptParameters(Object.keys(request?.query?.shape ?? {}));
  if (security?.length === 0) return [parameters];
  const token = requireToken(authenticate);
  return path.startsWith('/reporting/') ? [token, parameters] : [token, refuseReportingTokens, parameters];
}

const SUFFIX = /\{(\w+)\}(\.\w+)$/;

/**
 * The route in a form that Hono can match. Hono knows no suffix after a parameter, as in `{table}.parquet`: the suffix
 * becomes part of the parameter's pattern, and is cut off before the parameter is checked.
 */
function routable(contract: Declaration & Get): RouteConfig {
  const [, name, suffix] = SUFFIX.exec(contract.path) ?? [];
  if (name === undefined || suffix === undefined) return contract;
  const { params = z.object({}) } = contract.request ?? {};
  const cut = z
    .record(z.string(), z.string())
    .transform((parameters) => ({ ...parameters, [name]: parameters[name]?.slice(0, -suffix.length) }));
  return {
    ...contract,
    path: contract.path.replace(SUFFIX, `:${name}{[a-z_]+\\${suffix}}`),
    request: { ...contract.request, params: cut.pipe(params) },
  };
}
