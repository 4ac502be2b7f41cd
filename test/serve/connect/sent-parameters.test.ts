/** What clients send of any kind: parameters that are empty, twice or no text, and names that people read. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSignIn } from '../../../src/run/server/assistant-sign-in.ts';
import { createAssistantTokens } from '../../../src/serve/auth/assistant-token.ts';
import { openBrowser } from '../pages/browser.ts';
import {
  answerConsent,
  authorizePath,
  CALLBACK,
  KEYS,
  openConnect,
  ORIGIN,
  postForm,
  postJson,
  redemption,
  register,
} from './open-connect.ts';

let ledger: Awaited<ReturnType<typeof openConnect>>;
let app: ReturnType<(typeof ledger)['open']>['app'];
let token: string;
beforeAll(async () => {
  ledger = await openConnect();
  ({ app } = ledger.open());
  ({ token } = await ledger.issue());
});
afterAll(() => ledger.close());

async function refusal(response: Response): Promise<unknown> {
  return [response.status, ((await response.json()) as { error: string }).error];
}

describe('a parameter', () => {
  const NUL = 'cf_client_\u0000';

  it.each(['client_id', 'redirect_uri', 'state', 'resource'])(
    'with a control character is refused: %s',
    async (name) => {
      const browser = openBrowser(app);
      await browser.signIn(token);
      const path = authorizePath(await register(app), { [name]: NUL });
      expect((await browser.send(path)).status).toBe(400);
    },
  );

  it.each(['client_id', 'redirect_uri', 'token', 'code', 'refresh_token'])(
    'of a program with a control character is refused: %s',
    async (name) => {
      for (const path of ['/token', '/revoke']) {
        const sent = { ...redemption('cf_client_x', 'cf_oac_x'), [name]: NUL };
        expect(await refusal(await postForm(app, path, sent))).toEqual([400, 'invalid_request']);
      }
    },
  );

  it('without a value is as good as left out', async () => {
    const client_id = await register(app);
    const path = authorizePath(client_id, { resource: '', response_mode: '', request_uri: '', scope: '' });
    const { to } = await answerConsent(app, token, path);
    const sent = redemption(client_id, to?.searchParams.get('code') ?? '');
    const answer = await postForm(app, '/token', { ...sent, client_secret: '', resource: '' });
    expect(answer.status).toBe(200);
  });

  it('that is sent twice is refused', async () => {
    const browser = openBrowser(app);
    await browser.signIn(token);
    const twice = `${authorizePath(await register(app))}&state=other`;
    expect((await browser.send(twice)).status).toBe(400);
    const body = new URLSearchParams([
      ['grant_type', 'refresh_token'],
      ['grant_type', 'authorization_code'],
    ]);
    expect(await refusal(await app.request('/token', { method: 'POST', body }))).toEqual([
      400,
      'invalid_request',
    ]);
  });
});

it('a name of a client steers neither a page nor a terminal', async () => {
  const name = `<b>\u202eevil\u0000\n${'x'.repeat(200)}`;
  const registered = await postJson(app, { client_name: name, redirect_uris: [CALLBACK] });
  const { client_id, client_name } = (await registered.json()) as Record<string, string>;
  expect(client_name).toBe(`<b> evil ${'x'.repeat(71)}`);
  const browser = openBrowser(app);
  await browser.signIn(token);
  expect(await browser.page(authorizePath(client_id ?? ''))).not.toContain('<b>');
});

it.each([
  ['Helper\u3164\u200b\ufe0f', 'Helper'],
  ['\u3164\u2800\u00ad', 'client.example'],
  [`E${'\u0301'.repeat(40)}vil`, 'E\u0301\u0301vil'],
  ['Zo\u00eb', 'Zo\u00eb'],
])('a name of a client shows no empty text, and covers no line around it: %j', async (client_name, shown) => {
  const registered = await postJson(app, { client_name, redirect_uris: [CALLBACK] });
  expect(await registered.json()).toMatchObject({ client_name: shown });
});

it.each([
  ['fields that are null', { client_name: null, grant_types: null, response_types: null, scope: null }, 201],
  ['fields of another kind', { client_name: 7 }, 400],
  ['a list in place of the metadata', [], 400],
  ['no address', { redirect_uris: [] }, 400],
  ['eleven addresses', { redirect_uris: Array.from({ length: 11 }, () => CALLBACK) }, 400],
])('a registration with %s is answered %s', async (_, changed, status) => {
  const body = Array.isArray(changed) ? changed : { redirect_uris: [CALLBACK], ...changed };
  expect((await postJson(app, body)).status).toBe(status);
});

it('every route that reads the database answers 503 while PostgreSQL is away', async () => {
  const away = {
    query: () => Promise.reject(new Error('at 10.0.0.1')),
    connect: () => Promise.reject(new Error()),
  };
  const parts = { keys: KEYS, service: away as never, baseUrl: () => `${ORIGIN}/v1` };
  const down = ledger.open(openSignIn({ assistantSignIn: true }, parts)).app;
  const client_id = await register(app);
  const code = createAssistantTokens(KEYS).make('code', `${ORIGIN}/mcp`);
  const browser = openBrowser(down);
  await browser.signIn(token);
  const answers = [
    await postJson(down, { redirect_uris: [CALLBACK] }),
    await postForm(down, '/token', redemption(client_id, code)),
    await postForm(down, '/token', redemption(client_id, 'cf_oac_x')),
    await browser.send(authorizePath(client_id)),
  ];
  for (const answer of answers) {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10']);
    expect(await answer.text()).not.toContain('10.0.0.1');
  }
});
