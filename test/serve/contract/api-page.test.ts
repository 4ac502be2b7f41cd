import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import { readApiPageFiles } from '../../../src/run/server/api-page-files.ts';
import { fakeApp } from '../fake-parts.ts';

const PAGE = '/docs/api';

describe('the reference page of the API', () => {
  let app: ReturnType<typeof fakeApp>['app'];
  let html: string;
  let files: readonly string[];
  beforeAll(async () => {
    ({ app } = fakeApp({ apiPageFiles: await readApiPageFiles() }));
    html = await (await app.request(PAGE)).text();
    files = [...html.matchAll(/\b(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
  });
  /** As a browser would: relative to the page. */
  const pathOf = (address: string) => new URL(address, `http://here${PAGE}`).pathname;

  it('has a title and needs no token', () => {
    expect(html).toContain('<title>API reference · Crossfoot</title>');
  });

  it('refers to nothing but own files and the contract, which are all there with their types', async () => {
    const seen: Record<string, string | null> = {};
    const own = [...html.matchAll(/<(?:script|link rel="stylesheet")[^>]*\b(?:src|href)="([^"]+)"/g)];
    for (const address of [...own.map(([, each = '']) => each), '../v1/openapi.json']) {
      expect(new URL(address, `http://here${PAGE}`).host).toBe('here');
      const response = await app.request(pathOf(address));
      seen[pathOf(address)] = response.status === 200 ? response.headers.get('content-type') : null;
      expect((await response.arrayBuffer()).byteLength).toBe(Number(response.headers.get('content-length')));
    }
    expect(seen).toEqual({
      '/docs/api/swagger-ui.css': 'text/css; charset=utf-8',
      '/docs/api/page.css': 'text/css; charset=utf-8',
      '/v1/openapi.json': 'application/json',
      '/docs/api/swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
      '/docs/api/start.js': 'text/javascript; charset=utf-8',
    });
  });

  it('shows our contract, keeps no token, and takes no other contract from its address', async () => {
    const start = await (await app.request(`${PAGE}/start.js`)).text();
    const given: Record<string, unknown>[] = [];
    const classes: unknown[] = [];
    const root = { classList: { toggle: (name: string, on: boolean) => classes.push([name, on]) } };
    runInNewContext(start, {
      SwaggerUIBundle: (options: Record<string, unknown>) => given.push(options),
      document: { documentElement: root },
      matchMedia: () => ({ matches: true, addEventListener: () => undefined }),
    });
    expect(classes).toEqual([['dark-mode', true]]);
    expect(given).toEqual([
      {
        url: '../v1/openapi.json',
        dom_id: '#contract',
        deepLinking: true,
        persistAuthorization: false,
        queryConfigEnabled: false,
        supportedSubmitMethods: ['get'],
        validatorUrl: null,
        plugins: [expect.any(Function)],
      },
    ]);
    expect(html).toContain('<div id="contract">');
    expect(pathOf('../v1/openapi.json')).toBe('/v1/openapi.json');
  });

  it('loads nothing from elsewhere, runs no script in itself and stands in no frame', async () => {
    for (const path of [PAGE, ...files.map(pathOf).filter((each) => each.startsWith('/docs/'))]) {
      const { headers } = await app.request(path);
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|\bon\w+=|<style|javascript:/i);
    expect(html).not.toMatch(/https?:/);
    const style = await (await app.request(`${PAGE}/swagger-ui.css`)).text();
    expect([...style.matchAll(/url\(["']?(?!data:|["'])[^)]{0,40}|@import/g)]).toEqual([]);
  });

  it.each([PAGE, `${PAGE}/start.js`, `${PAGE}/swagger-ui.css`, `${PAGE}/swagger-ui-bundle.js`])(
    'is sent once to a client that caches it, and refuses unknown parameters: %s',
    async (path) => {
      const first = await app.request(path);
      const tag = first.headers.get('etag') ?? '';
      expect(first.headers.get('cache-control')).toBe('public, max-age=300');
      expect((await app.request(path, { headers: { 'if-none-match': tag } })).status).toBe(304);
      const head = await app.request(path, { method: 'HEAD' });
      expect(head.headers.get('content-length')).toBe(first.headers.get('content-length'));
      expect((await app.request(`${path}?url=http://elsewhere`)).status).toBe(400);
      expect((await app.request(path, { method: 'POST' })).status).toBe(405);
      expect((await app.request(`${path}/`)).status).toBe(404);
    },
  );
});
