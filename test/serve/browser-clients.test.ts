/** Which pages may read the answers to clients, at every route that a client asks. */
import { describe, expect, it } from 'vitest';
import { FAKE_SIGN_IN } from './connect/fake-sign-in.ts';
import { fakeApp } from './fake-parts.ts';

const { app } = fakeApp({ signIn: FAKE_SIGN_IN, authenticateClient: async () => null });
const LOCAL = 'http://localhost:6274';

const ask = (path: string, method: string, headers: Readonly<Record<string, string>>) =>
  app.request(path, { method, headers: { host: 'api.example.com', ...headers } });
const allowed = (answer: Response) => answer.headers.get('access-control-allow-origin');

const ROUTES = [
  ['/.well-known/oauth-protected-resource/mcp', 'GET', 200],
  ['/.well-known/oauth-authorization-server', 'GET', 200],
  ['/register', 'POST', 400],
  ['/token', 'POST', 400],
  ['/revoke', 'POST', 400],
  ['/mcp', 'POST', 401],
] as const;

describe.each(ROUTES)('the answer of %s', (path, method, status) => {
  it.each([LOCAL, 'http://127.0.0.1:1', 'http://[::1]:1', 'https://api.example.com'])(
    'is read by a page of %s, refusals included',
    async (origin) => {
      const asked = { origin, 'access-control-request-method': method };
      const wanted = 'authorization,content-type,mcp-protocol-version';
      const first = await ask(path, 'OPTIONS', { ...asked, 'access-control-request-headers': wanted });
      expect([first.status, allowed(first)]).toEqual([204, origin]);
      const names = first.headers.get('access-control-allow-headers')?.toLowerCase().split(/, */);
      expect(names).toEqual(expect.arrayContaining(wanted.split(',')));
      const answer = await ask(path, method, { origin });
      expect([answer.status, allowed(answer)]).toEqual([status, origin]);
      expect(answer.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
      expect(answer.headers.get('vary')).toContain('Origin');
    },
  );

  it.each([
    'https://evil.example',
    'http://localhost.evil.example',
    'null',
    'https://api.example.com.evil.example',
  ])('is not read by a page of %s', async (origin) => {
    for (const asked of ['OPTIONS', method]) {
      const answer = await ask(path, asked, { origin, 'access-control-request-method': method });
      expect([asked, allowed(answer)]).toEqual([asked, null]);
    }
  });

  it('allows no cookies', async () => {
    const answer = await ask(path, method, { origin: LOCAL });
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
  });
});

it('no other route is read by a page of another origin, or while the sign-in is off', async () => {
  for (const path of ['/authorize', '/clients', '/', '/v1/roi', '/healthz']) {
    expect([path, allowed(await ask(path, 'GET', { origin: LOCAL }))]).toEqual([path, null]);
  }
  const off = await fakeApp().app.request('/mcp', {
    method: 'POST',
    headers: { host: 'localhost', origin: LOCAL },
  });
  expect(allowed(off)).toBe(null);
});
