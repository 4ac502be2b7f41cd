/** Where a client registers itself (RFC 7591). Anybody may, so it is limited, and a client without a consent is forgotten. */
import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import type { ServeEnv } from '../auth/authenticate.ts';
import { acceptNoParameters } from '../http/parameters.ts';
import { REGISTER_PATH, SCOPE } from './addresses.ts';
import { readClientMetadata } from './client-metadata.ts';
import { oauthAnswer, oauthError, readJson } from './oauth-answer.ts';
import type { ConnectParts } from './sign-in-parts.ts';

/** A person connects a few clients; a whole office behind one address connects a few a minute. */
const REGISTRATIONS_A_MINUTE = 10;

/** The route `/register`. */
export function registerRoute({ signIn, rateLimiter }: ConnectParts): Hono<ServeEnv> {
  const routes = new Hono<ServeEnv>();
  routes.post(REGISTER_PATH, acceptNoParameters, async (c) => {
    const { allowed, seconds } = rateLimiter.take(`register:${c.var.network}`, REGISTRATIONS_A_MINUTE);
    if (!allowed) {
      c.header('retry-after', String(seconds));
      return oauthError(c, 'temporarily_unavailable', 'Too many clients register from this address.', 429);
    }
    const client = readClientMetadata(await readJson(c));
    if ('error' in client) return oauthError(c, client.error, client.sentence);
    const client_id = `cf_client_${randomUUID()}`;
    if (!(await signIn.records.register({ client_id, ...client }))) {
      c.header('retry-after', '3600');
      return oauthError(c, 'temporarily_unavailable', 'Too many clients wait for their first consent.', 429);
    }
    const registered = {
      client_id,
      client_name: client.name,
      redirect_uris: client.redirect_uris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: SCOPE,
    };
    return oauthAnswer(c, registered, 201);
  });
  return routes;
}
