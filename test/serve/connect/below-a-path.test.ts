/** A server whose `BASE_URL` has a path: the proxy before it cuts the path off, and passes two documents of the host on. */
import { auth as earlierAuth } from '@modelcontextprotocol/sdk/client/auth.js';
import { auth as currentAuth } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../pages/browser.ts';
import { openProvider } from './memory-provider.ts';
import {
  answerConsent,
  ask,
  authorizePath,
  CALLBACK,
  connect,
  openConnect,
  postForm,
  redemption,
  register,
} from './open-connect.ts';

const HOST = 'https://example.com';
const ISSUER = `${HOST}/deep/figures`;
const RESOURCE_DOCUMENT = '/.well-known/oauth-protected-resource/deep/figures/mcp';
const SERVER_DOCUMENT = '/.well-known/oauth-authorization-server/deep/figures';

let ledger: Awaited<ReturnType<typeof openConnect>>;
let app: ReturnType<(typeof ledger)['open']>['app'];
let other: typeof app;
let token: string;
beforeAll(async () => {
  ledger = await openConnect();
  ({ app } = ledger.open({}, { baseUrl: `${ISSUER}/v1` }));
  ({ app: other } = ledger.open({}, { baseUrl: `${HOST}/other/v1` }));
  ({ token } = await ledger.issue());
});
afterAll(() => ledger.close());

/** The proxy: the two documents as they are, what is below the path without it, and nothing else. */
const fetchFn = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
  const request = new Request(input, init);
  const { origin, pathname, search } = new URL(request.url);
  const isDocument = [RESOURCE_DOCUMENT, SERVER_DOCUMENT].includes(pathname);
  const passed = isDocument ? pathname : /^\/deep\/figures(\/.*)$/.exec(pathname)?.[1];
  if (origin !== HOST || passed === undefined) return new Response(null, { status: 404 });
  const sent = new Request(HOST + passed + search, request);
  sent.headers.set('host', 'example.com');
  return await app.request(sent);
};

describe.each([
  ['2025-11-25', earlierAuth],
  ['2026-07-28', currentAuth],
])('the official client of protocol %s', (_, auth) => {
  it('connects to a server below a path, from the address of the assistant alone', async () => {
    const { provider, led, tokens } = openProvider(CALLBACK);
    const serverUrl = `${ISSUER}/mcp`;
    expect(await auth(provider, { serverUrl, fetchFn })).toBe('REDIRECT');
    const [at = new URL(HOST)] = led;
    expect(at.origin + at.pathname).toBe(`${ISSUER}/authorize`);
    const { to } = await answerConsent(app, token, `/authorize${at.search}`, 'allow', HOST);
    expect(to?.searchParams.get('iss')).toBe(ISSUER);
    const authorizationCode = to?.searchParams.get('code') ?? '';
    const answered = { serverUrl, authorizationCode, iss: ISSUER, fetchFn };
    expect(await auth(provider, answered)).toBe('AUTHORIZED');
    expect(await ask(app, tokens()?.access_token ?? '')).toBe(200);
  });
});

describe('the documents', () => {
  it('name addresses below the path, at the addresses of the RFCs and where the path is cut off', async () => {
    for (const path of [RESOURCE_DOCUMENT, '/.well-known/oauth-protected-resource/mcp']) {
      expect(await (await app.request(path)).json()).toMatchObject({
        resource: `${ISSUER}/mcp`,
        authorization_servers: [ISSUER],
      });
    }
    for (const path of [SERVER_DOCUMENT, '/.well-known/oauth-authorization-server']) {
      expect(await (await app.request(path)).json()).toMatchObject({
        issuer: ISSUER,
        authorization_endpoint: `${ISSUER}/authorize`,
        token_endpoint: `${ISSUER}/token`,
        registration_endpoint: `${ISSUER}/register`,
        revocation_endpoint: `${ISSUER}/revoke`,
      });
    }
  });

  it('are named by the challenge of the assistant, and read by a page of this computer', async () => {
    const headers = { host: 'example.com', origin: 'http://localhost:6274' };
    const challenge = (await app.request('/mcp', { method: 'POST', headers })).headers.get(
      'www-authenticate',
    );
    expect(challenge).toContain(`resource_metadata="${HOST}${RESOURCE_DOCUMENT}"`);
    for (const path of [RESOURCE_DOCUMENT, SERVER_DOCUMENT]) {
      const answer = await app.request(path, { headers });
      expect(answer.headers.get('access-control-allow-origin')).toBe(headers.origin);
    }
  });

  it.each([
    '/.well-known/oauth-authorization-server/deep',
    '/.well-known/oauth-authorization-server/deep/figures/',
    '/.well-known/oauth-authorization-server/deep/figures/mcp',
    '/.well-known/oauth-authorization-server/Deep/figures',
    '/.well-known/oauth-authorization-server/other',
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/deep/figures',
    '/.well-known/oauth-protected-resource/mcp/deep/figures',
    '/.well-known/oauth-protected-resource/other/mcp?a=b',
  ])('are at no other address: %s', async (path) => {
    expect((await app.request(path)).status).toBe(404);
  });

  it('take no parameter, and stand at no address below a path without one in BASE_URL', async () => {
    expect((await app.request(`${SERVER_DOCUMENT}?a=b`)).status).toBe(400);
    const plain = ledger.open().app;
    for (const path of [RESOURCE_DOCUMENT, SERVER_DOCUMENT]) {
      expect((await plain.request(path)).status).toBe(404);
    }
  });
});

describe('A-57: two servers of different paths behind one origin, with the same ledger and keys', () => {
  const asked = { resource: `${ISSUER}/mcp` };
  const connectHere = () => connect(app, token, { origin: HOST, resource: `${ISSUER}/mcp` });

  it('name themselves in their answers, so that no client takes one for the other', async () => {
    const client_id = await register(app);
    const here = await answerConsent(app, token, authorizePath(client_id, asked), 'allow', HOST);
    const resource = `${HOST}/other/mcp`;
    const there = await answerConsent(other, token, authorizePath(client_id, { resource }), 'allow', HOST);
    expect([here, there].map(({ to }) => to?.searchParams.get('iss'))).toEqual([ISSUER, `${HOST}/other`]);
  });

  it('refuse codes and tokens of each other', async () => {
    const { access_token, refresh_token, client_id } = await connectHere();
    expect([await ask(app, access_token), await ask(other, access_token)]).toEqual([200, 401]);
    const renewal = { grant_type: 'refresh_token', client_id, refresh_token };
    expect((await postForm(other, '/token', renewal)).status).toBe(400);
    const { to } = await answerConsent(app, token, authorizePath(client_id, asked), 'allow', HOST);
    const { resource: _, ...sent } = redemption(client_id, to?.searchParams.get('code') ?? '');
    expect((await postForm(other, '/token', sent)).status).toBe(400);
    expect((await postForm(app, '/token', sent)).status).toBe(200);
    expect((await postForm(app, '/token', renewal)).status).toBe(200);
  });
});

it('the page of consent of a server below a path leads to itself, wherever the path is', async () => {
  const path = authorizePath(await register(app), { resource: `${ISSUER}/mcp` });
  const door = await openBrowser(app).send(path);
  expect(new URL(door.headers.get('location') ?? '', `${ISSUER}${path}`).pathname).toBe('/deep/figures/');
  const browser = openBrowser(app);
  await browser.post('/sign-in', { token }, { origin: HOST });
  const page = await browser.page(path);
  const [, action = ''] = /<form method="post" action="(authorize)"/.exec(page) ?? [];
  expect(new URL(action, `${ISSUER}${path}`).href).toBe(`${ISSUER}/authorize`);
});
