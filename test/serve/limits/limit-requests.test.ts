import { describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/log.ts';
import { trustProxies } from '../../../src/serve/http/client-address.ts';
import { listen } from '../../../src/serve/http/server.ts';
import { createRateLimiter } from '../../../src/serve/limits/rate-limiter.ts';
import { bearer, fakeApp, TOKENS } from '../fake-parts.ts';

const PATH = '/v1/reporting/latest';
const PUBLIC = '/v1/reporting/schema.json';

function limited(limits: { address: number; token: number }) {
  const { app } = fakeApp({ limits, rateLimiter: createRateLimiter(() => 0, 10) });
  const statuses = async (times: number, path: string, init?: { headers: Record<string, string> }) => {
    const all = [];
    for (let time = 0; time < times; time += 1) all.push((await app.request(path, init)).status);
    return all;
  };
  return { app, statuses };
}

/** A server that allows an address one request a minute. */
function serve(networks: readonly string[]) {
  const { app } = fakeApp({
    limits: { address: 1, token: 100 },
    rateLimiter: createRateLimiter(() => 0, 10),
    proxies: trustProxies(networks),
  });
  return listen(app.fetch, { host: '127.0.0.1', port: 0, logger: createLogger('silent') });
}

async function ask(port: number, forwarded: string): Promise<number> {
  const url = `http://127.0.0.1:${port}${PUBLIC}`;
  return (await fetch(url, { headers: { 'x-forwarded-for': forwarded } })).status;
}

describe('a token', () => {
  it('gets 429 above its limit, with the error shape and Retry-After', async () => {
    const { app, statuses } = limited({ address: 100, token: 2 });
    expect(await statuses(2, PATH, bearer(TOKENS.personal))).toEqual([200, 200]);
    const response = await app.request(PATH, bearer(TOKENS.personal));
    expect(response.status).toBe(429);
    expect(await response.json()).toEqual({
      error: { status: 429, message: 'Too many requests with this access token.' },
    });
    const { headers } = response;
    const seconds = Number(headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(headers.get('ratelimit-policy')).toBe('"address";q=100;w=60, "token";q=2;w=60');
    expect(headers.get('ratelimit')).toMatch(new RegExp(`^"address";r=97;t=\\d+, "token";r=0;t=${seconds}$`));
  });

  it('A-16: does not spend what another has', async () => {
    const { statuses } = limited({ address: 100, token: 1 });
    expect(await statuses(2, PATH, bearer(TOKENS.personal))).toEqual([200, 429]);
    expect(await statuses(1, PATH, bearer(TOKENS.other))).toEqual([200]);
  });

  it('gets the rest of its limit with every answer', async () => {
    const { app } = limited({ address: 9, token: 5 });
    const left = [];
    for (const path of [PATH, '/v1/reporting/nothing', PATH]) {
      left.push((await app.request(path, bearer(TOKENS.personal))).headers.get('ratelimit'));
    }
    expect(left.map((text) => text?.replaceAll(/;t=\d+/g, ''))).toEqual([
      '"address";r=8, "token";r=4',
      '"address";r=7', // there is no such route, so the token was not looked at
      '"address";r=6, "token";r=3',
    ]);
  });
});

describe('an address', () => {
  it('gets 429 before its token is looked at, at every route', async () => {
    for (const path of [PUBLIC, '/', '/docs', '/nothing', PATH]) {
      let lookedUp = 0;
      const { app } = fakeApp({
        limits: { address: 2, token: 100 },
        rateLimiter: createRateLimiter(() => 0, 10),
        authenticate: async () => {
          lookedUp += 1;
          return null;
        },
      });
      await app.request(PUBLIC);
      await app.request(PUBLIC);
      const response = await app.request(path, bearer(TOKENS.personal));
      expect([path, response.status, lookedUp]).toEqual([path, 429, 0]);
      expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(response.headers.get('x-request-id')).toBe('request-3');
    }
  });

  it('A-16: that fails to authenticate spends 20 requests each time', async () => {
    const { statuses } = limited({ address: 60, token: 100 });
    // 3 · 20 = 60
    expect(await statuses(4, PATH, bearer(TOKENS.unknown))).toEqual([401, 401, 401, 429]);
    expect(await statuses(1, PUBLIC)).toEqual([429]);
  });

  it('that sends no token spends one request, as a client does that waits for the challenge', async () => {
    for (const [path, init] of [
      [PATH, {}],
      ['/mcp', { method: 'POST', headers: { host: 'localhost' } }],
      ['/delta-sharing/shares', {}],
      ['/delta-sharing/shares/a/schemas/b/tables/c/query', { method: 'POST' }],
      [PATH, { headers: { authorization: '' } }],
    ] as const) {
      const { app } = limited({ address: 3, token: 100 });
      const statuses = [];
      for (let time = 0; time < 4; time += 1) statuses.push((await app.request(path, init)).status);
      expect([path, statuses]).toEqual([path, [401, 401, 401, 429]]);
    }
  });

  it.each(['Bearer cfp_wrong', 'Basic YTpi', 'Bearer', 'Negotiate x'])(
    'that sends the credentials %j spends 20 requests',
    async (authorization) => {
      const { statuses } = limited({ address: 20, token: 100 });
      expect(await statuses(2, PATH, { headers: { authorization } })).toEqual([401, 429]);
    },
  );

  it.each(['/healthz', '/readyz'])(
    'that has used up its limit still gets the health route %s, which costs nothing',
    async (path) => {
      const { app, statuses } = limited({ address: 1, token: 100 });
      expect(await statuses(3, path)).toEqual([200, 200, 200]);
      expect(await statuses(2, PUBLIC)).toEqual([200, 429]);
      expect(await statuses(3, path)).toEqual([200, 200, 200]);
      expect((await app.request(path)).headers.get('ratelimit')).toBeNull();
    },
  );

  it('is a connection’s, or what a trusted proxy says, and each spends its own', async () => {
    const [direct, behind] = await Promise.all([serve([]), serve(['127.0.0.0/8'])]);
    try {
      const asked = ['198.51.100.1', '198.51.100.2', '198.51.100.2', '198.51.100.3, 198.51.100.2'];
      const statuses = { direct: [] as number[], behind: [] as number[] };
      for (const forwarded of asked) {
        statuses.direct.push(await ask(direct.port, forwarded));
        statuses.behind.push(await ask(behind.port, forwarded));
      }
      expect(statuses).toEqual({ direct: [200, 429, 429, 429], behind: [200, 200, 429, 429] });
    } finally {
      await Promise.all([direct.close(0), behind.close(0)]);
    }
  });
});
