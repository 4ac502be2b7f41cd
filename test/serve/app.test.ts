import { describe, expect, it } from 'vitest';
import { CrossfootError } from '../../src/errors.ts';
import { describeTables } from '../../src/tables/describe.ts';
import { bearer, fakeApp, LATEST, TOKENS } from './fake-parts.ts';

const ROUTES = [
  '/healthz',
  '/readyz',
  '/v1/openapi.json',
  '/v1/reporting/schema.json',
  '/v1/reporting/latest',
  '/v1/reporting/latest/costs.parquet',
  `/v1/reporting/snapshots/${LATEST}`,
  `/v1/reporting/snapshots/${LATEST}/costs.parquet`,
  '/v1/reporting/snapshots',
];

/** Without what differs from one request to the next. */
function lastingHeaders(response: Response): Record<string, string> {
  return { ...Object.fromEntries(response.headers), 'x-request-id': '', ratelimit: '' };
}

describe('every answer', () => {
  it.each([...ROUTES, '/nothing'])(
    'A-28: carries its request id and nosniff, and shares nothing with other sites: %s',
    async (path) => {
      const { app } = fakeApp();
      const response = await app.request(path);
      expect(response.headers.get('x-request-id')).toBe('request-1');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    },
  );

  it('takes no request id from the client', async () => {
    const { app } = fakeApp();
    const response = await app.request('/healthz', { headers: { 'x-request-id': 'mine' } });
    expect(response.headers.get('x-request-id')).toBe('request-1');
  });

  it('is logged once, with the pattern of its route and never its path or token', async () => {
    const { app, lines } = fakeApp();
    await app.request(`/v1/reporting/snapshots/${TOKENS.unknown}`, bearer(TOKENS.personal));
    const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(logged).toEqual([
      {
        level: 'info',
        time: logged[0]?.['time'],
        event: 'request.answered',
        request_id: 'request-1',
        account: '7',
        token_id: '1',
        method: 'GET',
        route: '/v1/reporting/snapshots/:snapshot_id',
        status: 404,
        ms: 10, // three readings of a clock that moves by 5
      },
    ]);
    expect(lines.join('')).not.toContain('cf_pat_');
  });
});

describe('every route', () => {
  it.each(ROUTES)('answers HEAD like GET, without the body: %s', async (path) => {
    const { app } = fakeApp();
    const get = await app.request(path, bearer(TOKENS.personal));
    const head = await app.request(path, { method: 'HEAD', ...bearer(TOKENS.personal) });
    expect(get.status).toBe(200);
    expect(head.status).toBe(200);
    expect(lastingHeaders(head)).toEqual(lastingHeaders(get));
    expect(head.headers.get('content-length')).toBe(String((await get.arrayBuffer()).byteLength));
    expect(await head.text()).toBe('');
  });

  it.each(
    ROUTES.flatMap((path) => ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'].map((method) => [method, path])),
  )('refuses %s %s with 405 and says what it allows', async (method, path) => {
    const { app } = fakeApp();
    const response = await app.request(path ?? '', { method: method ?? '' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD');
    expect(await response.json()).toEqual({ error: { status: 405, message: 'Every route is a GET.' } });
  });

  it('refuses a method that its path does not have with 405, and names in Allow every method that it has', async () => {
    const { app } = fakeApp();
    const methodsOf = new Map<string, string[]>();
    for (const { method, path } of app.routes) {
      if (method !== 'ALL') methodsOf.set(path, [...(methodsOf.get(path) ?? []), method]);
    }
    // The forms of the pages and the query of the sharing protocol are all that is sent by POST.
    const withPost = [...methodsOf].filter(([, methods]) => methods.includes('POST')).map(([path]) => path);
    const query = '/delta-sharing/shares/:share/schemas/:schema/tables/:table/query';
    expect(withPost).toEqual(['/sign-in', '/sign-out', query]);
    const wrong: string[] = [];
    for (const [pattern, methods] of methodsOf) {
      const path = pattern
        .replace(/:\w+\{\[a-z_?\]\+\\?\.(\w+)\}/, 'costs.$1')
        .replaceAll(/:\w+(\{[^}]*\})?/g, LATEST);
      const own = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
        if (own.includes(method)) continue;
        const { status, headers } = await app.request(path, { method });
        const allow = [...new Set(own)].toSorted().join(', ');
        if (status !== 405 || headers.get('allow') !== allow)
          wrong.push(`${method} ${path}: ${status}, ${headers.get('allow')}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('refuses PUT /sign-in with 405, which a page answers by GET and takes a form by POST', async () => {
    const response = await fakeApp().app.request('/sign-in', { method: 'PUT' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST');
    expect(await response.json()).toEqual({
      error: { status: 405, message: 'This route answers GET, HEAD, POST only.' },
    });
  });

  it.each(ROUTES)('A-26: ignores a method smuggled in a header: %s', async (path) => {
    const { app } = fakeApp();
    const { headers } = bearer(TOKENS.personal);
    const response = await app.request(path, { headers: { ...headers, 'x-http-method-override': 'DELETE' } });
    expect(response.status).toBe(200);
  });

  it.each(
    ROUTES.flatMap((path) => ['limit=1', 'window=all&window=1yr', '%22=', '='].map((query) => [path, query])),
  )('refuses parameters it does not accept: %s?%s', async (path, query) => {
    const { app } = fakeApp();
    const response = await app.request(`${path}?${query}`, bearer(TOKENS.personal));
    expect(response.status).toBe(400);
    const name = JSON.stringify(decodeURIComponent(query?.split('=')[0] ?? ''));
    expect(await response.json()).toEqual({
      error: { status: 400, message: `This route does not accept the parameter ${name}.` },
    });
  });

  it.each(ROUTES)(
    'is not there with a slash behind it, in capitals or without its version: %s',
    async (path) => {
      const { app } = fakeApp();
      for (const other of [`${path}/`, path.toUpperCase(), path.replace('/v1', '/v2'), `/x${path}`]) {
        if (other === path) continue; // the health route has no version
        expect((await app.request(other, bearer(TOKENS.personal))).status).toBe(404);
      }
    },
  );
});

describe('errors', () => {
  it('answer an unknown route in the one shape, with or without a token', async () => {
    const { app } = fakeApp();
    for (const init of [{}, bearer(TOKENS.personal), { method: 'POST' }]) {
      const response = await app.request('/nothing', init);
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.json()).toEqual({ error: { status: 404, message: 'There is no such route.' } });
    }
  });

  it('answer a browser at an unknown address with a page, and a program at one of its routes with JSON', async () => {
    const { app } = fakeApp();
    const asked = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
    const page = await app.request('/no/such', asked);
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self'",
    );
    const text = await page.text();
    expect(text).toContain('<h1>There is no such page</h1>');
    expect(text).toContain('href="../docs"');
    for (const path of ['/v1/nosuch', '/mcp/nosuch', '/delta-sharing/nosuch']) {
      const answer = await app.request(path, asked);
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        path,
        404,
        'application/json',
      ]);
    }
  });

  it('A-42: say nothing of the inside when unforeseen; the log does, under the same request id', async () => {
    const { app, lines } = fakeApp({
      baseUrl: () => {
        throw new TypeError('cannot read /etc/secret');
      },
    });
    const response = await app.request('/v1/reporting/latest', bearer(TOKENS.personal));
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(text).not.toMatch(/secret|TypeError|at /);
    expect(JSON.parse(text)).toMatchObject({ error: { status: 500 } });
    const failed = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .find((line) => line['event'] === 'request.failed');
    expect(failed).toMatchObject({ request_id: 'request-1', error: 'TypeError', level: 'error' });
    expect(failed?.['stack']).toMatch(/app\.test\.ts/);
  });

  it('A-42: of ours say nothing of the inside either, from 500 up', async () => {
    const { app } = fakeApp({
      baseUrl: () => {
        throw new CrossfootError('settings_invalid', 'BASE_URL is /etc/secret.');
      },
    });
    const response = await app.request('/v1/reporting/latest', bearer(TOKENS.personal));
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('secret');
  });
});

describe('the schema description', () => {
  it('is served as declared, to anyone, and may be cached', async () => {
    const schema = describeTables();
    const { app } = fakeApp({ schema });
    const response = await app.request('/v1/reporting/schema.json');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(schema);
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
  });
});

describe('the health route', () => {
  it('answers ok, to anyone, and is never cached', async () => {
    const { app } = fakeApp();
    const response = await app.request('/healthz');
    expect(await response.json()).toEqual({ status: 'ok' });
    expect(response.headers.get('cache-control')).toBe('no-store');
  });
});
