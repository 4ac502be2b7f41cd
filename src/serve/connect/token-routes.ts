/** Where a client redeems its code, gets the next tokens, and gives tokens back. Clients are public: PKCE and rotation protect. */
import { createHash } from 'node:crypto';
import { type Context, Hono } from 'hono';
import type { AssistantTokens } from '../auth/assistant-token.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { acceptNoParameters } from '../http/parameters.ts';
import { resourceOf } from '../auth/well-known.ts';
import { REVOKE_PATH, SCOPE, TOKEN_PATH } from './addresses.ts';
import { isResource } from './authorization-request.ts';
import { oauthAnswer, oauthError, readFields } from './oauth-answer.ts';
import type { ConnectParts } from './sign-in-parts.ts';

/** RFC 7636: 43 to 128 characters. */
const VERIFIER = /^[\w.~-]{43,128}$/;
const LIFE_SECONDS = 3_600;
/** One sentence for every refusal: which part was wrong helps only who guesses. */
const REFUSED = 'The code or token is unknown, used, expired or not of this client. Connect again.';

/** The routes `/token` and `/revoke`. */
export function tokenRoutes(parts: ConnectParts): Hono<ServeEnv> {
  const { records, tokens } = parts.signIn;
  const routes = new Hono<ServeEnv>();
  routes.post(TOKEN_PATH, acceptNoParameters, async (c) => {
    const fields = await readFields(c);
    if (typeof fields === 'string') return oauthError(c, 'invalid_request', fields);
    if (fields.has('client_secret') || c.req.header('authorization') !== undefined) {
      return oauthError(c, 'invalid_client', 'Clients have no secret here; send client_id alone.');
    }
    if (!isResource(fields.get('resource'), resourceOf(parts.baseUrl()))) {
      return oauthError(c, 'invalid_target', `resource must be ${resourceOf(parts.baseUrl())}.`);
    }
    const grant_type = fields.get('grant_type');
    if (grant_type === 'authorization_code') return await redeem(c, fields);
    if (grant_type === 'refresh_token') return await renew(c, fields);
    return oauthError(c, 'unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.');
  });

  routes.post(REVOKE_PATH, acceptNoParameters, async (c) => {
    const fields = await readFields(c);
    if (typeof fields === 'string') return oauthError(c, 'invalid_request', fields);
    const given = fields.get('token') ?? '';
    const audience = resourceOf(parts.baseUrl());
    const sha256 = tokens.digest('refresh', given, audience) ?? tokens.digest('access', given, audience);
    if (sha256 !== null) await records.giveBack(sha256, fields.get('client_id') ?? '');
    // RFC 7009: an unknown token is as good as ended.
    return oauthAnswer(c, {});
  });

  async function redeem(c: Context<ServeEnv>, fields: URLSearchParams): Promise<Response> {
    const verifier = fields.get('code_verifier') ?? '';
    if (!VERIFIER.test(verifier)) {
      return oauthError(c, 'invalid_request', 'code_verifier must be 43 to 128 characters of RFC 7636.');
    }
    const code_sha256 = tokens.digest('code', fields.get('code') ?? '', resourceOf(parts.baseUrl()));
    if (code_sha256 === null) return await refuse(c, fields);
    const next = answerWith((kind, audience) => tokens.make(kind, audience));
    const redeemed = await records.redeem({
      ...next.digests,
      code_sha256,
      client_id: fields.get('client_id') ?? '',
      redirect_uri: fields.get('redirect_uri') ?? '',
      challenge: createHash('sha256').update(verifier).digest('base64url'),
    });
    return redeemed ? oauthAnswer(c, next.answer) : await refuse(c, fields);
  }

  async function renew(c: Context<ServeEnv>, fields: URLSearchParams): Promise<Response> {
    const given = fields.get('refresh_token') ?? '';
    const old_sha256 = tokens.digest('refresh', given, resourceOf(parts.baseUrl()));
    if (old_sha256 === null) return await refuse(c, fields);
    const next = answerWith((kind, audience) => tokens.follow(kind, audience, given));
    const client_id = fields.get('client_id') ?? '';
    const renewed = await records.renew({ ...next.digests, old_sha256, client_id });
    return renewed ? oauthAnswer(c, next.answer) : await refuse(c, fields);
  }

  /** A client that is not known any more registers again when it hears so. */
  async function refuse(c: Context<ServeEnv>, fields: URLSearchParams): Promise<Response> {
    const client = await records.find(fields.get('client_id') ?? '');
    return client === null
      ? oauthError(c, 'invalid_client', 'This client is not known here any more; register again.', 401)
      : oauthError(c, 'invalid_grant', REFUSED);
  }

  function answerWith(make: AssistantTokens['make']) {
    const audience = resourceOf(parts.baseUrl());
    const access_token = make('access', audience);
    const refresh_token = make('refresh', audience);
    return {
      answer: {
        access_token,
        token_type: 'Bearer',
        expires_in: LIFE_SECONDS,
        refresh_token,
        scope: SCOPE,
      },
      digests: { access_sha256: sha256Of(access_token), refresh_sha256: sha256Of(refresh_token) },
    };
  }
  return routes;
}

function sha256Of(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
