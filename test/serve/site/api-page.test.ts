import { beforeAll, describe, expect, it } from 'vitest';
import { API_ROUTES } from '../../../src/serve/api-routes.ts';
import { EXAMPLES } from '../../../src/serve/contract/examples.ts';
import { fakeApp, withoutOwnScript } from '../fake-parts.ts';

const PAGE = '/docs/api';
const GROUPS = ['figures', 'records', 'reporting', 'contract'];
/** The address of the fake application. */
const ADDRESS = 'https://reports.example/v1';

const ENTITIES: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>', '#39': "'" };
const asText = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&(quot|amp|lt|gt|#39);/g, (_, name: string) => ENTITIES[name] ?? '');

describe('the reference of the API', () => {
  const { app } = fakeApp({ baseUrl: () => ADDRESS });
  const pages = new Map<string, string>();
  beforeAll(async () => {
    for (const path of [PAGE, ...GROUPS.map((group) => `${PAGE}/${group}`)]) {
      pages.set(path, await (await app.request(path)).text());
    }
  });
  const groupPages = (): readonly string[] => GROUPS.map((group) => pages.get(`${PAGE}/${group}`) ?? '');

  it('shows every route once, on the page of its group, and leads there from the overview', () => {
    const shown = groupPages().flatMap((html) =>
      [...html.matchAll(/<h2><a href="#([\w-]+)">GET (.*?)<\/a><\/h2>/gs)].map(([, , path = '']) =>
        asText(path).trim(),
      ),
    );
    const declared = API_ROUTES.map(({ contract }) => contract.path);
    expect(shown.toSorted()).toEqual(declared.toSorted());
    const links = [...(pages.get(PAGE) ?? '').matchAll(/href="api\/(\w+)#([\w-]+)"/g)];
    expect(links).toHaveLength(declared.length);
    for (const [, group, anchor] of links) {
      expect(pages.get(`${PAGE}/${group}`)).toContain(`<section id="${anchor}">`);
    }
  });

  it('names the parameters of a route, its fields and its refusals', () => {
    const text = asText(pages.get(`${PAGE}/figures`) ?? '');
    const roi = text.slice(text.indexOf('GET /roi'), text.indexOf('GET /budgets'));
    for (const name of [
      'window',
      'initiative_id',
      'snapshot_id',
      'cost.capex_cents',
      'value_left_out[].currency',
    ]) {
      expect(roi).toContain(name);
    }
    expect(roi).toContain('Cash value minus total cost.');
    expect(roi).toContain('404 The account has no such initiative');
  });

  it('shows the request with the address of this server, and the answer of the contract', () => {
    const figures = asText(pages.get(`${PAGE}/figures`) ?? '');
    expect(figures).toContain(`curl ${ADDRESS}/roi \\\n  -H "authorization: Bearer $TOKEN"`);
    expect(figures).toContain(JSON.stringify(EXAMPLES['get_roi'], null, 2));
    const reporting = asText(pages.get(`${PAGE}/reporting`) ?? '');
    expect(reporting).toContain(`curl ${ADDRESS}/reporting/latest/costs.parquet \\\n  -H`);
    expect(reporting).toContain(`"url": "${ADDRESS}/reporting/snapshots/20260715T020000Z/costs.parquet"`);
    expect(reporting).not.toContain('127.0.0.1');
    // The keys are public: their example sends no token.
    expect(reporting).toMatch(/curl https:\/\/reports\.example\/v1\/reporting\/keys\s*\n?\s*\{/);
  });

  it('refers to nothing but own files and pages, which are all there', async () => {
    for (const [path, html] of pages) {
      const addresses = [...html.matchAll(/\b(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
      for (const address of new Set(addresses.filter((each) => !/^(?:data:|#)/.test(each)))) {
        const { host, pathname } = new URL(address, `http://here${path}`);
        expect([address, host]).toEqual([address, 'here']);
        // A person who is not signed in is led from the pages of an account to the sign-in.
        expect([address, [200, 303]]).toEqual([
          address,
          expect.arrayContaining([(await app.request(pathname)).status]),
        ]);
      }
    }
  });

  it('runs the one script of every page alone, loads nothing from elsewhere and stands in no frame', async () => {
    for (const path of [...pages.keys(), `${PAGE}/page.css`]) {
      const { headers } = await app.request(path);
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
    for (const html of pages.values()) {
      expect(withoutOwnScript(html)).not.toMatch(
        /<script|\bon\w+=|<style|\bstyle=|javascript:|@import|url\(/i,
      );
    }
  });

  it('has less than 300 kB in all pages together', () => {
    const bytes = [...pages.values()].reduce((sum, html) => sum + Buffer.byteLength(html), 0);
    expect(bytes).toBeLessThan(300_000);
  });

  it('has no page for a group that does not exist', async () => {
    expect((await app.request(`${PAGE}/nothing`)).status).toBe(404);
  });

  it.each([PAGE, `${PAGE}/figures`, `${PAGE}/page.css`])(
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
