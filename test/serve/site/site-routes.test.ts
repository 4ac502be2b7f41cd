import { describe, expect, it } from 'vitest';
import { CrossfootError } from '../../../src/errors.ts';
import type { HelpArticle } from '../../../src/ledger/lists/help-articles.ts';
import { describeTables } from '../../../src/tables/describe.ts';
import { fakeApp, withoutOwnScript } from '../fake-parts.ts';

const ARTICLES: readonly HelpArticle[] = [
  {
    generated: false,
    slug: 'roi',
    theme: 'Figures',
    title: 'Return <b>now</b>',
    summary: 'What "comes" back.',
    body: '## Net\n\nText.',
  },
  { generated: false, slug: 'tokens', theme: 'Access', title: 'Tokens', summary: null, body: 'Text.' },
  { generated: false, slug: 'budgets', theme: 'Figures', title: 'Budgets', summary: 'Plan.', body: 'Text.' },
  { generated: false, slug: 'odd', theme: null, title: 'Odd', summary: null, body: 'Text.' },
];
const { app } = fakeApp({ articles: async () => ARTICLES, schema: describeTables() });
const page = async (path: string): Promise<string> => (await app.request(path)).text();

/** The pages of an account. */
const SIGNED_IN = ['ai-spend', 'budgets', 'changes', 'initiatives', 'night'].map((way) => `/below/${way}`);

describe('the documentation', () => {
  it('lists every article by theme, themes in the order of their first article', async () => {
    const html = await page('/docs');
    expect([...html.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, theme]) => theme)).toEqual([
      'Figures',
      'Access',
      'Other',
    ]);
    const links = [...html.matchAll(/<li>\s*<a href="([^"]+)"/g)].map(([, address]) => address);
    expect(links).toEqual(['docs/roi', 'docs/budgets', 'docs/tokens', 'docs/odd']);
  });

  it('shows an article with its title and its summary', async () => {
    const html = await page('/docs/roi');
    expect(html).toContain('<title>Return &lt;b&gt;now&lt;/b&gt; · Crossfoot</title>');
    expect(html).toContain('<h2 id="net"><a href="#net">Net</a></h2>');
    expect(html).toContain('What &quot;comes&quot; back.');
  });

  it('shows beside an article all others by theme, its own theme open and itself marked', async () => {
    const html = await page('/docs/tokens');
    const tree = html.slice(html.indexOf('<nav class="tree"'));
    const links = [...tree.matchAll(/<li>\s*<a href="([^"]+)"/g)].map(([, address]) => address);
    expect(links).toEqual(['roi', 'budgets', 'tokens', 'odd']);
    const open = [...tree.matchAll(/<details open>\s*<summary>(.*?)<\/summary>/g)].map(([, theme]) => theme);
    expect(open).toEqual(['Access']);
    expect([...tree.matchAll(/href="([^"]+)" aria-current="page"/g)].map(([, slug]) => slug)).toEqual([
      'tokens',
    ]);
  });

  it('leads from an article to the one before and the one after it, over the border of a theme', async () => {
    const ways: string[] = [];
    for (const slug of ['roi', 'budgets', 'odd']) {
      const html = await page(`/docs/${slug}`);
      ways.push(
        ...[...html.matchAll(/<a rel="(prev|next)" href="([^"]+)"/g)].map(
          ([, rel, to]) => `${slug}: ${rel} ${to}`,
        ),
      );
    }
    expect(ways).toEqual([
      'roi: next budgets',
      'budgets: prev roi',
      'budgets: next tokens',
      'odd: prev tokens',
    ]);
  });

  it('is searched without a script: hits lead to sections and columns, and nothing found says what to do', async () => {
    const hits = async (query: string) => {
      const html = await page(`/docs/search?q=${query}`);
      return [...html.matchAll(/<li>\s*<a href="([^"]+)"/g)].map(([, to]) => to);
    };
    expect(await hits('net')).toContain('../docs/roi#net');
    expect(await hits('usd_rate_provisional')).toContain('../tables/costs#usd_rate_provisional');
    const none = await page('/docs/search?q=%3Cxyzzy%3E');
    expect(none).toContain('No article has <strong>&lt;xyzzy&gt;</strong>');
    expect(none).toContain('href="../tables"');
    expect(await page('/docs/search')).not.toContain('No article has');
    const { headers } = await app.request('/docs/search?q=net');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    expect(headers.get('cache-control')).toBe('no-store');
    expect((await app.request('/docs/search?query=net')).status).toBe(400);
  });

  it.each(['/docs', '/docs/roi', '/docs/none', '/docs/search?q=net'])(
    'leads on by addresses that exist, also below a path: %s',
    async (path) => {
      const html = await page(path);
      const addresses = [...html.matchAll(/\b(?:href|src)="([^"]+)"/g)].map(([, address = '']) => address);
      for (const address of addresses.filter((each) => !/^(?:data:|#)/.test(each))) {
        const { pathname } = new URL(address, `http://here/below${path}`);
        expect(pathname).toMatch(/^\/below\//);
        // Who is not signed in is led to where one does that.
        const status = SIGNED_IN.includes(pathname) ? 303 : 200;
        expect((await app.request(pathname.replace('/below', ''))).status).toBe(status);
      }
      expect(addresses).toContain('#text');
      expect(html).toContain('<main id="text">');
    },
  );

  it('answers an unknown name with a page that leads back', async () => {
    const response = await app.request('/docs/none');
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toContain('text/html');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).toContain('href="../docs"');
  });

  it('redirects an address with a slash at its end to the list', async () => {
    const response = await app.request('/docs/');
    expect(response.status).toBe(308);
    expect(new URL(response.headers.get('location') ?? '', 'http://here/below/docs/').pathname).toBe(
      '/below/docs',
    );
  });

  it('leaves the page of the API where it is', async () => {
    const own = fakeApp({
      articles: async () => ARTICLES.map((each) => ({ ...each, generated: false, slug: 'api' })),
    });
    expect(await (await own.app.request('/docs/api')).text()).toContain(
      '<title>API reference · Crossfoot</title>',
    );
  });

  it('says how to load articles while there are none', async () => {
    expect(await (await fakeApp().app.request('/docs')).text()).toContain('crossfoot migrate');
  });

  it('is unavailable, and says no more, when the ledger was never there', async () => {
    const away = fakeApp({
      articles: () => Promise.reject(new CrossfootError('database_unreachable', 'at 10.0.0.1')),
    });
    const response = await away.app.request('/docs');
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain('10.0.0.1');
  });

  it.each([
    // The pages have the form of the search; a file has no form.
    ['/docs', "'self'", 'no-referrer'],
    ['/docs/roi', "'self'", 'no-referrer'],
    ['/docs/none', "'self'", 'no-referrer'],
    ['/docs/site.css', "'none'", 'no-referrer'],
  ])(
    'runs the one script of every page alone and loads nothing from elsewhere: %s',
    async (path, forms, referrer) => {
      const response = await app.request(path);
      expect(response.headers.get('content-security-policy')).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; form-action ${forms}; frame-ancestors 'none'`,
      );
      expect(response.headers.get('referrer-policy')).toBe(referrer);
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(withoutOwnScript(await response.text())).not.toMatch(
        /<script|<style|\bstyle=|\bon\w+=|https?:|@import|url\(/,
      );
    },
  );

  it.each(['/docs', '/docs/roi', '/docs/site.css', '/docs/site.js'])(
    'is sent once to a client that caches it: %s',
    async (path) => {
      const first = await app.request(path);
      const tag = first.headers.get('etag') ?? '';
      expect(first.headers.get('cache-control')).toBe('public, max-age=300');
      expect((await app.request(path, { headers: { 'if-none-match': tag } })).status).toBe(304);
      const head = await app.request(path, { method: 'HEAD' });
      expect(head.headers.get('content-length')).toBe(first.headers.get('content-length'));
      expect((await app.request(`${path}?q=1`)).status).toBe(400);
      expect((await app.request(path, { method: 'POST' })).status).toBe(405);
    },
  );

  it('suits a phone, the dark and the keyboard', async () => {
    expect(await page('/docs')).toContain(
      '<meta name="viewport" content="width=device-width, initial-scale=1"',
    );
    const style = await page('/docs/site.css');
    expect(style).toContain('color-scheme: light dark');
    expect(style).toContain(':focus-visible');
    expect(await page('/docs')).toContain('<a class="skip" href="#text">');
  });
});
