/**
 * The answer to a client without a token, in the form of RFC 9728: the assistant takes tokens in a header, and this server
 * gives them out. While the sign-in is off, no authorization server is named, and a client does not offer one.
 */
import { Hono } from 'hono';
import type { ServeEnv } from '../auth/authenticate.ts';
import { answerJson } from '../http/json-answer.ts';
import { acceptNoParameters } from '../http/parameters.ts';
import { ASSISTANT_PATH } from './request-body.ts';

/** Where a client reads who gives out tokens. */
export const RESOURCE_PATH = `/.well-known/oauth-protected-resource${ASSISTANT_PATH}`;

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
  routes.get(RESOURCE_PATH, acceptNoParameters, (c) =>
    answerJson(
      c,
      {
        resource: rootOf(baseUrl()) + ASSISTANT_PATH,
        // RFC 9728 leaves out a list without elements.
        ...(signsIn && { authorization_servers: [rootOf(baseUrl())], scopes_supported: ['read'] }),
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
    answer.headers.set(
      'www-authenticate',
      `Bearer realm="crossfoot", resource_metadata="${rootOf(baseUrl)}${RESOURCE_PATH}"`,
    );
  }
  return answer;
}

function rootOf(baseUrl: string): string {
  return baseUrl.replace(/\/v1$/, '');
}
