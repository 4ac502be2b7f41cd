/** Pages that need no sign-in: the search leads to its hits from each of them, and what is refused is a page for people. */
import { describe, expect, it } from 'vitest';
import { PAGES } from '../../../src/serve/page-routes.ts';
import { fakeApp } from '../fake-parts.ts';

const BROWSER = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
const NAMED: Readonly<Record<string, string>> = { '{slug}': 'roi', '{table}': 'costs' };

/** Every public page; styles and scripts have no search. */
const PUBLIC = PAGES.filter(({ access, path }) => access === 'public' && !/\.(?:css|js)$/.test(path)).map(
  ({ path, query }) => [path.replace(/\{\w+\}/, (name) => NAMED[name] ?? name), query ?? []] as const,
);
const { app } = fakeApp();

it('the pages are those of the documentation, of the API and of the tables', () => {
  const paths = PUBLIC.map(([path]) => path);
  expect(paths).toEqual(
    expect.arrayContaining(['/docs', '/docs/roi', '/docs/api', '/tables', '/tables/costs']),
  );
});

describe.each(PUBLIC)('the page %s', (path, query) => {
  it('leads a browser with words to search for to the hits', async () => {
    const answer = await app.request(`${path}?q=locked+month`, BROWSER);
    const to = new URL(answer.headers.get('location') ?? '?q=locked+month', `http://h${path}`);
    expect(to.pathname + to.search).toBe('/docs/search?q=locked+month');
    expect(answer.status).toBe(query.includes('q') ? 200 : 303);
    const hits = await app.request(to.pathname + to.search, BROWSER);
    expect(await hits.text()).toContain('value="locked month"');
  });

  it('refuses another parameter with a page for people, and with JSON for programs', async () => {
    for (const wrong of ['?snapshot=1', '?q=1&x=2']) {
      const page = await app.request(`${path}${wrong}`, BROWSER);
      expect([page.status, page.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(await page.text()).toContain('does not accept the parameter');
      const json = await app.request(`${path}${wrong}`);
      expect([json.status, json.headers.get('content-type')]).toEqual([400, 'application/json']);
    }
  });
});
