/**
 * The answer to a client without a token, in the form of RFC 9728: the assistant takes tokens in a header, and this server
 * gives them out. While the sign-in is off, no authorization server is named, and a client does not offer one.
 */
import { Hono } from 'hono';
import type { ServeEnv } from '../auth/authenticate.ts';
import { answerJson } from '../http/json-answer.ts';
import { acceptNoParameters } from '../http/parameters.ts';
import {
  documentOf,
  issuerOf,
  onlyOwnDocument,
  RESOURCE_DOCUMENT,
  resourceOf,
  routesOf,
} from '../auth/well-known.ts';

interface Addresses {
  /** The public address of the API, ending in /v1. */
  readonly baseUrl: () => string;
  readonly docsUrl: () => string;
  /** Whether this server lets clients connect. */
  readonly signsIn: boolean;
}

/** The metadata of the assistant, for anybody. */
export function signInRoutes({ baseUrl, docsUrl, signsIn }: Addresses): Hono<ServeEnv> {
  const routes = new Hono<ServeEnv>();
  const here = onlyOwnDocument(RESOURCE_DOCUMENT, () => resourceOf(baseUrl()));
  routes.on('GET', [...routesOf(RESOURCE_DOCUMENT)], here, acceptNoParameters, (c) =>
    answerJson(
      c,
      {
        resource: resourceOf(baseUrl()),
        // RFC 9728 leaves out a list without elements.
        ...(signsIn && { authorization_servers: [issuerOf(baseUrl())], scopes_supported: ['read'] }),
        bearer_methods_supported: ['header'],
        resource_name: 'Crossfoot',
        resource_documentation: `${docsUrl()}/assistant`,
      },
      { 'cache-control': 'public, max-age=3600' },
    ),
  );
  return routes;
}

/** Adds the address of the metadata to a 401. */
export function challenge(answer: Response, baseUrl: string): Response {
  if (answer.status === 401) {
    const metadata = documentOf(RESOURCE_DOCUMENT, resourceOf(baseUrl));
    answer.headers.set('www-authenticate', `Bearer realm="crossfoot", resource_metadata="${metadata}"`);
  }
  return answer;
}
