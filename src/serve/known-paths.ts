/** What the listener must know of paths before the application hears of a request: routes, bodies and forms of errors. */
import { TrieRouter } from 'hono/router/trie-router';
import { getPath } from 'hono/utils/url';
import { MAX_BODY_BYTES } from './assistant/request-body.ts';
import { ASSISTANT_PATH } from './auth/well-known.ts';
import {
  AUTHORIZE_PATH,
  CONNECTIONS_PATH,
  MAX_SIGN_IN_BYTES,
  REGISTER_PATH,
  REVOKE_PATH,
  TOKEN_PATH,
} from './connect/addresses.ts';
import { FORM_PATHS, MAX_FORM_BYTES } from './frame/own-form.ts';
import { errorBody } from './http/error-answer.ts';
import type { AllowedBody, Paths } from './http/node-refusals.ts';
import { protocolError } from './sharing/protocol-errors.ts';
import { isSharing, isSharingQuery, MAX_QUERY_BYTES } from './sharing/sharing-path.ts';

interface Routed {
  readonly routes: readonly { readonly path: string; readonly method: string }[];
}

const BODIES: ReadonlyMap<string, AllowedBody> = new Map([
  [ASSISTANT_PATH, { name: 'A message to the assistant', most: MAX_BODY_BYTES }],
  ...[TOKEN_PATH, REGISTER_PATH, REVOKE_PATH].map(
    (path) => [path, { name: 'A message of a client', most: MAX_SIGN_IN_BYTES }] as const,
  ),
  ...[...FORM_PATHS, AUTHORIZE_PATH, CONNECTIONS_PATH].map(
    (path) => [path, { name: 'A form', most: MAX_FORM_BYTES }] as const,
  ),
]);

const QUERY: AllowedBody = { name: 'A query', most: MAX_QUERY_BYTES };

/**
 * A path has a route with any method; it is decoded as the application decodes it. Middleware alone, which is of all
 * methods, makes no route. A request to a path without one is answered 404, also when its body or its token is wrong.
 */
export function knownPaths({ routes }: Routed): Paths {
  const router = new TrieRouter<true>();
  const paths = routes.filter(({ method, path }) => method !== 'ALL' || path === ASSISTANT_PATH);
  for (const path of new Set(paths.map((each) => each.path))) router.add('ALL', path, true);
  const isRoute = (path: string): boolean =>
    router.match('ALL', getPath(new Request(`http://localhost${path}`)))[0].length > 0;
  return {
    isRoute,
    // The routes of the sign-in of assistants can be switched off.
    bodyOf: (path) => {
      if (isSharingQuery(path)) return QUERY;
      return isRoute(path) ? BODIES.get(path.split('?', 1)[0] ?? '') : undefined;
    },
    errorBody: (path, status, message) =>
      isSharing(path) ? protocolError(status, message) : errorBody(status, message),
  };
}
