/** The attacks of RFC 9700 on the sign-in of assistants, each tried. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  answerConsent,
  ask,
  authorizePath,
  CALLBACK,
  connect,
  fieldIn,
  openConnect,
  ORIGIN,
  postForm,
  redemption,
  register,
  renew,
  type Tokens,
  VERIFIER,
} from '../serve/connect/open-connect.ts';
import { formTokenIn, openBrowser } from '../serve/pages/browser.ts';

let ledger: Awaited<ReturnType<typeof openConnect>>;
let app: ReturnType<(typeof ledger)['open']>['app'];
let ada: Awaited<ReturnType<(typeof ledger)['issue']>>;
beforeAll(async () => {
  ledger = await openConnect();
  ({ app } = ledger.open());
});
afterAll(() => ledger.close());
beforeEach(async () => {
  ada = await ledger.issue();
});

async function codeFor(client_id: string, token = ada.token): Promise<string> {
  const { to } = await answerConsent(app, token, authorizePath(client_id));
  return to?.searchParams.get('code') ?? '';
}

async function refusal(response: Response): Promise<unknown> {
  return [response.status, ((await response.json()) as { error: string }).error];
}

describe('A-43: an open redirect', () => {
  it.each([
    ['another host', 'https://evil.example/callback'],
    ['a longer path', `${CALLBACK}/more`],
    ['a query', `${CALLBACK}?next=1`],
    ['another case', 'https://client.example/CALLBACK'],
    ['a host in the login', 'https://client.example@evil.example/callback'],
    ['a path that leads up', 'https://client.example/x/../callback'],
    ['another port', 'https://client.example:444/callback'],
    ['a fragment', `${CALLBACK}#`],
  ])('to %s is shown to the person only, with any other fault of the request', async (_, redirect_uri) => {
    const client_id = await register(app);
    const browser = openBrowser(app);
    await browser.signIn(ada.token);
    for (const changed of [{}, { response_type: 'token' }]) {
      const page = await browser.send(authorizePath(client_id, { redirect_uri, ...changed }));
      const text = await page.text();
      expect([page.status, page.headers.get('location'), page.headers.get('refresh')]).toEqual([
        400,
        null,
        null,
      ]);
      expect(text).not.toContain('evil.example');
    }
  });

  it('by a registered address needs the click of a signed-in person, also for an error', async () => {
    const client_id = await register(app, ['https://evil.example/']);
    const path = authorizePath(client_id, { redirect_uri: 'https://evil.example/', response_type: 'token' });
    const signedOut = await openBrowser(app).send(path);
    expect(signedOut.headers.get('location')).toMatch(/^\.\/\?to=authorize/);
    const browser = openBrowser(app);
    await browser.signIn(ada.token);
    const page = await browser.send(path);
    expect([page.status, page.headers.get('location'), page.headers.get('refresh')]).toEqual([
      200,
      null,
      null,
    ]);
  });

  it.each([
    ['http://127.0.0.1/cb', 'http://127.0.0.1:49152/cb', 200],
    ['http://[::1]:1/cb', 'http://[::1]:49152/cb', 200],
    ['http://localhost/cb', 'http://localhost:49152/cb', 200],
    ['http://localhost/cb', 'http://127.0.0.1/cb', 400],
    ['http://localhost/cb', 'http://localhost:49152/cd', 400],
    ['http://localhost/cb', 'http://localhost.evil.example/cb', 400],
    ['http://localhost/cb', 'http://localhost:49152@evil.example/cb', 400],
    ['http://localhost/cb', 'https://localhost/cb', 400],
  ])('is no free port on this computer: %s as %s', async (registered, redirect_uri, status) => {
    const client_id = await register(app, [registered]);
    const browser = openBrowser(app);
    await browser.signIn(ada.token);
    expect((await browser.send(authorizePath(client_id, { redirect_uri }))).status).toBe(status);
  });
});

it('A-44: a mix-up is noticed: every answer names who gives it, and no header changes the name', async () => {
  const client_id = await register(app);
  for (const answer of ['allow', 'refuse']) {
    const { to } = await answerConsent(app, ada.token, authorizePath(client_id), answer);
    expect(to?.searchParams.get('iss')).toBe(ORIGIN);
  }
  const metadata = await app.request('/.well-known/oauth-authorization-server', {
    headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' },
  });
  expect(await metadata.json()).toEqual({
    issuer: ORIGIN,
    authorization_endpoint: `${ORIGIN}/authorize`,
    token_endpoint: `${ORIGIN}/token`,
    registration_endpoint: `${ORIGIN}/register`,
    revocation_endpoint: `${ORIGIN}/revoke`,
    scopes_supported: ['read'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${ORIGIN}/docs/assistant`,
  });
});

describe('A-45: a code that is injected or replayed', () => {
  it('that is shown twice ends what it gave', async () => {
    const client_id = await register(app);
    const sent = redemption(client_id, await codeFor(client_id));
    const tokens = (await (await postForm(app, '/token', sent)).json()) as Tokens;
    expect(await ask(app, tokens.access_token)).toBe(200);
    expect(await refusal(await postForm(app, '/token', sent))).toEqual([400, 'invalid_grant']);
    expect(await ask(app, tokens.access_token)).toBe(401);
    expect((await renew(app, client_id, tokens.refresh_token)).status).toBe(400);
  });

  it('is redeemed once of ten times at the same moment, and then ends', async () => {
    const client_id = await register(app);
    const sent = redemption(client_id, await codeFor(client_id));
    const answers = await Promise.all(Array.from({ length: 10 }, () => postForm(app, '/token', sent)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it.each([
    ['another verifier', { code_verifier: `${VERIFIER}x` }, 'invalid_grant'],
    ['no verifier', { code_verifier: '' }, 'invalid_request'],
    ['another address', { redirect_uri: `${CALLBACK}/` }, 'invalid_grant'],
    ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['a secret', { client_secret: 'secret' }, 'invalid_client'],
    ['another code', { code: 'cf_oac_AAAA' }, 'invalid_grant'],
  ])('is refused with %s', async (_, changed, error) => {
    const client_id = await register(app);
    const sent = redemption(client_id, await codeFor(client_id));
    expect(await refusal(await postForm(app, '/token', { ...sent, ...changed }))).toEqual([400, error]);
  });

  it('that was shown with another verifier is spent', async () => {
    const client_id = await register(app);
    const sent = redemption(client_id, await codeFor(client_id));
    await postForm(app, '/token', { ...sent, code_verifier: `${VERIFIER}x` });
    expect(await refusal(await postForm(app, '/token', sent))).toEqual([400, 'invalid_grant']);
  });

  it('is refused after a minute', async () => {
    const client_id = await register(app);
    const sent = redemption(client_id, await codeFor(client_id));
    await age(client_id, 'consented_at', '61 seconds');
    expect(await refusal(await postForm(app, '/token', sent))).toEqual([400, 'invalid_grant']);
  });

  it('is no token, and a token is no code', async () => {
    const client_id = await register(app);
    const code = await codeFor(client_id);
    expect(await ask(app, code)).toBe(401);
    expect((await renew(app, client_id, code)).status).toBe(400);
    const { access_token } = await connect(app, ada.token);
    const sent = redemption(client_id, access_token);
    expect(await refusal(await postForm(app, '/token', sent))).toEqual([400, 'invalid_grant']);
  });
});

describe('A-46: a downgrade of PKCE', () => {
  it.each([
    ['no challenge', { code_challenge: null, code_challenge_method: null }],
    ['no method, which would be plain', { code_challenge_method: null }],
    ['the method plain', { code_challenge_method: 'plain' }],
    ['a method in small letters', { code_challenge_method: 's256' }],
    ['an empty challenge', { code_challenge: '' }],
    ['a challenge that is no digest', { code_challenge: VERIFIER.slice(1) }],
  ])('is refused before consent: %s', async (_, changed) => {
    const client_id = await register(app);
    const { to, response } = await answerConsent(app, ada.token, authorizePath(client_id, changed));
    expect([response.status, to]).toEqual([400, null]);
  });

  it('is refused at the exchange: without the verifier, and with the challenge in its place', async () => {
    const client_id = await register(app);
    const { code_verifier: _, ...sent } = redemption(client_id, await codeFor(client_id));
    expect(await refusal(await postForm(app, '/token', sent))).toEqual([400, 'invalid_request']);
    const code_verifier = createHash('sha256').update(VERIFIER).digest('base64url');
    expect(await refusal(await postForm(app, '/token', { ...sent, code_verifier }))).toEqual([
      400,
      'invalid_grant',
    ]);
  });
});

it('A-50: a code of one client is refused to another; a client that is not known hears so', async () => {
  const client_id = await register(app);
  const sent = redemption(client_id, await codeFor(client_id));
  const other = await register(app);
  const unknown = { ...sent, client_id: 'cf_client_other', code: 'cf_oac_AAAA' };
  expect(await refusal(await postForm(app, '/token', unknown))).toEqual([401, 'invalid_client']);
  expect(await refusal(await postForm(app, '/token', { ...sent, client_id: other }))).toEqual([
    400,
    'invalid_grant',
  ]);
});

/** Moves a time of the consent of a client into the past: a clock that moved on. */
async function age(client_id: string, column: string, by: string): Promise<void> {
  await ledger.owner.query(
    `update vault.assistant_grants set ${column} = ${column} - $2::interval
     where client = (select id from vault.assistant_clients where client_id = $1)`,
    [client_id, by],
  );
}

async function statusOf(response: Promise<Response>): Promise<unknown> {
  const { status, headers } = await response;
  return [status, headers.has('refresh')];
}

describe('A-47: the form of consent', () => {
  it('is refused from another site, without the token of its session, and without a session', async () => {
    const path = authorizePath(await register(app));
    const browser = openBrowser(app);
    await browser.signIn(ada.token);
    const page = await browser.page(path);
    const fields = { form_token: formTokenIn(page), request: fieldIn(page, 'request'), answer: 'allow' };
    expect(await statusOf(browser.post('/authorize', fields, { origin: 'https://evil.example' }))).toEqual([
      403,
      false,
    ]);
    expect(await statusOf(browser.post('/authorize', { ...fields, form_token: '' }))).toEqual([403, false]);
    expect(await statusOf(openBrowser(app).post('/authorize', fields))).toEqual([303, false]);
    expect(await statusOf(browser.send(`${path}&answer=allow`))).toEqual([200, false]);
    expect(await statusOf(browser.post('/authorize', fields))).toEqual([200, true]);
  });

  it('allows nothing that its page would not have offered', async () => {
    const client_id = await register(app);
    const browser = openBrowser(app);
    await browser.signIn(ada.token);
    const form_token = formTokenIn(await browser.page(authorizePath(client_id)));
    for (const changed of [
      { code_challenge_method: 'plain' },
      { redirect_uri: 'https://evil.example/' },
      { client_id: 'cf_client_other' },
      { resource: `${ORIGIN}/v1` },
    ]) {
      const request = authorizePath(client_id, changed).replace('/authorize?', '');
      const sent = await browser.post('/authorize', { form_token, request, answer: 'allow' });
      expect([sent.status, sent.headers.get('refresh')]).toEqual([400, null]);
    }
  });
});
