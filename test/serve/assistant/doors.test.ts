/** Who is let in to the assistant, how often, and what the log says of it. */
import { expect, it } from 'vitest';
import { bearer, fakeApp, TOKENS } from '../fake-parts.ts';

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

async function post(app: ReturnType<typeof fakeApp>['app'], token: string | null): Promise<Response> {
  return await app.request('/mcp', {
    method: 'POST',
    headers: {
      host: 'localhost',
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(token !== null && bearer(token).headers),
    },
    body: JSON.stringify(LIST),
  });
}

it.each([
  ['nobody', null, 401],
  ['a word', 'secret', 401],
  ['a token never issued', TOKENS.unknown, 401],
  ['a token of a plan without API access', TOKENS.withoutApi, 403],
  ['a reporting token', TOKENS.reporting, 403],
  ['a personal token', TOKENS.personal, 200],
  ['a personal token of an account that does not report', TOKENS.switchedOff, 200],
])('the assistant answers %s as every live route does', async (_, token, status) => {
  const response = await post(fakeApp().app, token);
  expect(response.status).toBe(status);
  expect(response.headers.has('www-authenticate')).toBe(status === 401);
  const body = await response.text();
  expect(body.includes(`{"error":{"status":${status}`)).toBe(status >= 400);
});

it('each message counts for its token, with all other requests', async () => {
  const { app } = fakeApp({ limits: { address: 100, token: 2 } });
  expect((await post(app, TOKENS.personal)).status).toBe(200);
  expect((await app.request('/v1/reporting/latest', bearer(TOKENS.personal))).status).toBe(200);
  const refused = await post(app, TOKENS.personal);
  expect([refused.status, refused.headers.has('retry-after')]).toEqual([429, true]);
});

it('a wrong token counts for twenty requests', async () => {
  const { app } = fakeApp({ limits: { address: 21, token: 100 } });
  expect((await post(app, TOKENS.unknown)).status).toBe(401);
  expect((await post(app, TOKENS.personal)).status).toBe(200);
  expect((await post(app, TOKENS.personal)).status).toBe(429);
});

it('the log has one line a message, by the route, which is counted', async () => {
  const answers: { readonly route: string; readonly status: number }[] = [];
  const { app, lines } = fakeApp({ onAnswer: ({ route, status }) => answers.push({ route, status }) });
  const response = await post(app, TOKENS.personal);
  expect(response.headers.get('x-request-id')).toBe('request-1');
  expect(answers).toEqual([{ route: '/mcp', status: 200 }]);
  const answered = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(answered.filter(({ event }) => event === 'request.answered')).toMatchObject([
    { request_id: 'request-1', method: 'POST', route: '/mcp', status: 200, account: '7' },
  ]);
  expect(lines.join('')).not.toContain(TOKENS.personal);
});

it('a wrong Host is refused without further details, and no answer is cached', async () => {
  const { app } = fakeApp();
  const response = await app.request('/mcp', { method: 'POST', headers: { host: 'evil.example' } });
  expect(response.status).toBe(403);
  const listed = await post(app, TOKENS.personal);
  expect(listed.headers.get('cache-control')).toMatch(/no-cache|no-store/);
});
