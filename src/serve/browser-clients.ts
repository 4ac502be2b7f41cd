/**
 * Lets the page of a client read our answers to it (CORS). Only a page that the assistant answers gets that far: one of this
 * computer, or of this server. Clients send no cookies, so none are allowed.
 */
import { validateOriginHeader } from '@modelcontextprotocol/server';
import { cors } from 'hono/cors';
import { hostsOfAssistant } from './assistant/routes.ts';
import { ASSISTANT_PATH, RESOURCE_DOCUMENT, SERVER_DOCUMENT } from './auth/well-known.ts';
import { REGISTER_PATH, REVOKE_PATH, TOKEN_PATH } from './connect/addresses.ts';

/** What a client asks for. The page of consent is not among it: a person opens that. */
export const CLIENT_PATHS = [
  `${RESOURCE_DOCUMENT}/*`,
  `${SERVER_DOCUMENT}/*`,
  REGISTER_PATH,
  TOKEN_PATH,
  REVOKE_PATH,
  ASSISTANT_PATH,
];
const SECONDS = 600;

/** Adds the headers, and answers a browser that asks for them first. */
export function allowBrowserClients(baseUrl: () => string): ReturnType<typeof cors> {
  return cors({
    origin: (origin) => (validateOriginHeader(origin, hostsOfAssistant(baseUrl())).ok ? origin : null),
    allowMethods: ['GET', 'POST'],
    allowHeaders: ['Authorization', 'Content-Type', 'MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'],
    // Without the challenge a client does not learn where to sign in.
    exposeHeaders: ['WWW-Authenticate', 'Retry-After'],
    maxAge: SECONDS,
  });
}
