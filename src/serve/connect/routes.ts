/** The sign-in of assistants: OAuth 2.1 for `/mcp`, with this server as its authorization server. */
import type { Hono } from 'hono';
import type { ServeEnv } from '../auth/authenticate.ts';
import { answerJson } from '../http/json-answer.ts';
import { acceptNoParameters } from '../http/parameters.ts';
import { issuerOf, onlyOwnDocument, routesOf, SERVER_DOCUMENT } from '../auth/well-known.ts';
import { signInMetadata } from './addresses.ts';
import { connectionsPage, connectionsRoute } from './connections-page.ts';
import { consentRoute } from './consent-form.ts';
import { consentPage, type ConsentParts } from './consent-page.ts';
import { registerRoute } from './register-route.ts';
import { tokenRoutes } from './token-routes.ts';

/** They are registered while the sign-in is on; beside them stand the pages of `PAGES`. */
export const SIGN_IN_PAGES = [consentPage, connectionsPage] as const;

/** Adds the pages of people, with the routes of their forms, and the routes of programs. */
export function registerSignIn(app: Hono<ServeEnv>, parts: ConsentParts): void {
  const { baseUrl } = parts;
  const here = onlyOwnDocument(SERVER_DOCUMENT, () => issuerOf(baseUrl()));
  app.on('GET', [...routesOf(SERVER_DOCUMENT)], here, acceptNoParameters, (c) =>
    answerJson(c, signInMetadata(baseUrl()), { 'cache-control': 'public, max-age=3600' }),
  );
  app.route('/', consentRoute(parts));
  app.route('/', connectionsRoute(parts));
  for (const page of SIGN_IN_PAGES) page.register(app, parts);
  app.route('/', registerRoute(parts));
  app.route('/', tokenRoutes(parts));
}
