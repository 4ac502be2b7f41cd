/** Where the documents of the sign-in are: a path in `BASE_URL` stands behind their name, not before it (RFC 8414, RFC 9728). */
import { createMiddleware } from 'hono/factory';
import { CrossfootError } from '../../errors.ts';

/** The path of the assistant. */
export const ASSISTANT_PATH = '/mcp';

/** What tells a client who gives out tokens, and what that server serves. */
export const RESOURCE_DOCUMENT = '/.well-known/oauth-protected-resource';
export const SERVER_DOCUMENT = '/.well-known/oauth-authorization-server';

type Document = typeof RESOURCE_DOCUMENT | typeof SERVER_DOCUMENT;

/** The public address of the server, without `/v1`: people open it, and it is the issuer of tokens. */
export function issuerOf(baseUrl: string): string {
  return baseUrl.replace(/\/v1$/, '');
}

/** The assistant, for which all tokens are. */
export function resourceOf(baseUrl: string): string {
  return issuerOf(baseUrl) + ASSISTANT_PATH;
}

/** The address of the document about `described`, an address of this server. */
export function documentOf(document: Document, described: string): string {
  const { origin, pathname } = new URL(described);
  return `${origin}${document}${pathname === '/' ? '' : pathname}`;
}

/** The routes of the document: the second one is its address where `BASE_URL` has a path. */
export function routesOf(document: Document): readonly [string, string] {
  return [document + tailOf(document), `${document}/*`];
}

/**
 * Refuses a request at any other address of the document. A proxy passes the whole address on, or cuts off the path of
 * `BASE_URL` where an older client puts it first.
 */
export function onlyOwnDocument(document: Document, described: () => string) {
  return createMiddleware(async (c, next) => {
    const { pathname } = new URL(c.req.url);
    const path = new URL(documentOf(document, described())).pathname;
    if (pathname !== path && pathname !== document + tailOf(document)) {
      throw new CrossfootError('not_found', 'There is no such route.');
    }
    await next();
  });
}

function tailOf(document: Document): string {
  return document === RESOURCE_DOCUMENT ? ASSISTANT_PATH : '';
}
