/** A person connects an assistant with a click: the whole flow, by the official clients and step by step. */
import { auth } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRateLimiter } from '../../../src/serve/limits/rate-limiter.ts';
import { openBrowser } from '../pages/browser.ts';
import { openProvider } from './memory-provider.ts';
import {
  answerConsent,
  ask,
  authorizePath,
  CALLBACK,
  connect,
  fetchInto,
  fieldIn,
  openConnect,
  ORIGIN,
  postForm,
  postJson,
  redemption,
  register,
  type Tokens,
  VERIFIER,
} from './open-connect.ts';

let ledger: Awaited<ReturnType<typeof openConnect>>;
let app: ReturnType<(typeof ledger)['open']>['app'];
let lines: readonly string[];
let token: string;
beforeAll(async () => {
  ledger = await openConnect();
  ({ app, lines } = ledger.open());
  ({ token } = await ledger.issue());
});
afterAll(() => ledger.close());

describe('the official client', () => {
  it('connects from the address of the assistant alone, asks, and gets its next tokens', async () => {
    const { provider, led, tokens } = openProvider(CALLBACK);
    const serverUrl = `${ORIGIN}/mcp`;
    const fetchFn = fetchInto(app);
    expect(await auth(provider, { serverUrl, fetchFn })).toBe('REDIRECT');
    const [{ pathname, search } = new URL(ORIGIN)] = led;
    const { to } = await answerConsent(app, token, pathname + search);
    expect(to?.searchParams.get('state')).toBe('a state');
    expect(to?.searchParams.get('iss')).toBe(ORIGIN);
    const authorizationCode = to?.searchParams.get('code') ?? '';
    expect(await auth(provider, { serverUrl, authorizationCode, fetchFn })).toBe('AUTHORIZED');
    const first = tokens()?.access_token;

    const client = new Client({ name: 'test', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL(serverUrl), {
      authProvider: provider,
      fetch: fetchFn,
    });
    await client.connect(transport);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('get_roi_summary');
    await client.close();

    expect(await auth(provider, { serverUrl, fetchFn })).toBe('AUTHORIZED');
    expect(tokens()?.access_token).not.toBe(first);
    expect(await ask(app, tokens()?.access_token ?? '')).toBe(200);
  });
});

describe('the page of consent', () => {
  it('leads a signed-out person to the sign-in and back, and names client, account and place', async () => {
    const path = authorizePath(await register(app));
    const browser = openBrowser(app);
    const door = await browser.send(path);
    expect([door.status, door.headers.get('location')]).toEqual([
      303,
      `./?to=${encodeURIComponent(path.slice(1))}`,
    ]);
    const to = fieldIn(await browser.page(`/?to=${encodeURIComponent(path.slice(1))}`), 'to');
    const signedIn = await browser.post('/sign-in', { token, to });
    expect(signedIn.headers.get('location')).toBe(`.${path}`);
    const page = await browser.page(path);
    expect(page).toContain('calls itself <strong>Helper</strong>');
    expect(page).toContain('<strong>One &amp; Co</strong>');
    expect(page).toContain('<strong>client.example</strong>');
    expect(page).toContain('It can change nothing.');
  });

  it('tells the client that the person refused', async () => {
    const { to } = await answerConsent(app, token, authorizePath(await register(app)), 'refuse');
    expect(Object.fromEntries(to?.searchParams ?? [])).toEqual({
      error: 'access_denied',
      error_description: 'The person refused.',
      state: 'the state',
      iss: ORIGIN,
    });
  });

  it('keeps the policy of pages and leads on without a redirect', async () => {
    const { response } = await answerConsent(app, token, authorizePath(await register(app)));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toContain("form-action 'self'");
    expect(response.headers.get('referrer-policy')).toBe('same-origin');
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('refuses a reporting token, which is of no person', async () => {
    const reporting = await ledger.issue(1n, 'reporting');
    const path = authorizePath(await register(app));
    const browser = openBrowser(app);
    await browser.signIn(reporting.token);
    const page = await browser.send(path);
    expect([page.status, await page.text()]).toEqual([
      403,
      expect.stringContaining('A reporting token cannot connect an assistant.'),
    ]);
    expect((await answerConsent(app, reporting.token, path)).response.status).toBe(403);
  });

  it.each([
    ['the method plain', { code_challenge_method: 'plain' }, 'PKCE is required'],
    ['no method', { code_challenge_method: null }, 'PKCE is required'],
    ['no challenge', { code_challenge: null }, 'PKCE is required'],
    ['a short challenge', { code_challenge: 'abc' }, 'PKCE is required'],
    ['another resource', { resource: 'https://api.example.com/v1' }, 'resource must be'],
    ['the response type token', { response_type: 'token' }, 'response_type must be code'],
    ['an answer in a form', { response_mode: 'form_post' }, 'response_mode must be query'],
    ['a request by reference', { request_uri: 'https://client.example/r' }, 'request_uri is not served'],
  ])('offers no consent for %s, and redirects no browser', async (_, changed, sentence) => {
    const browser = openBrowser(app);
    await browser.signIn(token);
    const page = await browser.send(authorizePath(await register(app), changed));
    const text = await page.text();
    expect([page.status, page.headers.get('location')]).toEqual([200, null]);
    expect(text).toContain(sentence);
    expect(text).toContain(`${CALLBACK}?error=`);
    expect(text).not.toContain('value="allow"');
  });
});

it('A-49: a token opens the assistant only', async () => {
  const { access_token, refresh_token } = await connect(app, token);
  expect(await ask(app, access_token)).toBe(200);
  expect(await ask(app, refresh_token)).toBe(401);
  const headers = { authorization: `Bearer ${access_token}` };
  for (const path of ['/v1/roi', '/v1/initiatives', '/v1/reporting/latest', '/delta-sharing/shares']) {
    expect([path, (await app.request(path, { headers })).status]).toEqual([path, 401]);
  }
  const basic = Buffer.from(`token:${access_token}`).toString('base64');
  expect((await app.request('/v1/roi', { headers: { authorization: `Basic ${basic}` } })).status).toBe(401);
  expect((await openBrowser(app).signIn(access_token)).status).toBe(401);
});

describe('tokens', () => {
  it('are answered with their life, which is an hour, and kept by no cache', async () => {
    const client_id = await register(app);
    const { to } = await answerConsent(app, token, authorizePath(client_id));
    const code = to?.searchParams.get('code') ?? '';
    const response = await postForm(app, '/token', redemption(client_id, code));
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'read' });
  });

  it('and codes are repeated by no refusal', async () => {
    const { client_id, access_token, refresh_token } = await connect(app, token);
    const secrets = [access_token, refresh_token, 'cf_oac_secret', 'a secret of a client'];
    const sent = { ...redemption(client_id, 'cf_oac_secret'), refresh_token, token: access_token };
    const bodies = [
      sent,
      { ...sent, grant_type: 'refresh_token', client_id: 'another' },
      { ...sent, grant_type: access_token },
      { ...sent, resource: access_token },
      { ...sent, client_secret: 'a secret of a client' },
    ];
    for (const body of bodies) {
      const text = await (await postForm(app, '/token', body)).text();
      expect(text).toContain('"error"');
      for (const secret of secrets) expect(text).not.toContain(secret);
    }
  });

  it('count for the limit of the token of the sign-in', async () => {
    const own = await ledger.issue();
    const { access_token } = await connect(app, own.token);
    const limits = { address: 1_000, token: 2 };
    const limited = ledger.open({ limits, rateLimiter: createRateLimiter(() => 0) }).app;
    const statuses = [await ask(limited, access_token), await ask(limited, access_token)];
    expect([...statuses, await ask(limited, access_token)]).toEqual([200, 200, 429]);
    const headers = { authorization: `Bearer ${own.token}` };
    expect((await limited.request('/v1/reporting/latest', { headers })).status).toBe(429);
  });

  it('end when the client gives them back', async () => {
    const { client_id, access_token, refresh_token } = await connect(app, token);
    expect((await postForm(app, '/revoke', { token: refresh_token, client_id: 'another' })).status).toBe(200);
    expect(await ask(app, access_token)).toBe(200);
    expect((await postForm(app, '/revoke', { token: refresh_token, client_id })).status).toBe(200);
    expect(await ask(app, access_token)).toBe(401);
  });

  it('and codes are named in no line of the log; the line of a question names the consent', async () => {
    const client_id = await register(app);
    const { to } = await answerConsent(app, token, authorizePath(client_id));
    const code = to?.searchParams.get('code') ?? '';
    const answer = await postForm(app, '/token', redemption(client_id, code));
    const { access_token, refresh_token } = (await answer.json()) as Tokens;
    await ask(app, access_token);
    const text = lines.join('');
    expect(text).toContain('"client.connected"');
    for (const secret of [access_token, refresh_token, token, code, VERIFIER, 'the state', CALLBACK]) {
      expect(text).not.toContain(secret);
    }
    const last = JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown>;
    expect(last).toMatchObject({ route: '/mcp', account: '1', grant_id: expect.any(String) as string });
  });
});

describe('a registration', () => {
  it.each([
    ['http to another computer', 'http://client.example/cb'],
    ['a script', 'javascript:alert(1)'],
    ['a fragment', 'https://client.example/cb#x'],
    ['a login', 'https://user@client.example/cb'],
    ['a program of the system', 'ms-msdt:/id'],
  ])('with %s as its address is refused', async (_, address) => {
    const response = await postJson(app, { redirect_uris: [CALLBACK, address] });
    expect([response.status, await response.json()]).toMatchObject([400, { error: 'invalid_redirect_uri' }]);
  });

  it('says which metadata were stored', async () => {
    const response = await postJson(app, {
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: 'client_secret_basic',
    });
    expect([response.status, await response.json()]).toMatchObject([
      201,
      { client_name: 'client.example', token_endpoint_auth_method: 'none' },
    ]);
  });
});

it('the metadata name no sign-in while it is switched off', async () => {
  const off = ledger.open({ signIn: null, authenticateClient: null }).app;
  const resource = await off.request('/.well-known/oauth-protected-resource/mcp');
  expect(await resource.json()).not.toHaveProperty('authorization_servers');
  expect((await off.request('/.well-known/oauth-authorization-server')).status).toBe(404);
  const { access_token } = await connect(app, token);
  expect(await ask(off, access_token)).toBe(401);
});
