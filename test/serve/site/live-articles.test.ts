/** The documentation as a first start serves it: from the rows of the catalogue, as the role that serves. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readHelpArticles } from '../../../src/ledger/lists/help-articles.ts';
import { openPool } from '../../../src/ledger/connect.ts';
import { describeTables } from '../../../src/tables/describe.ts';
import { readArticles } from '../../fixtures/article-claims.ts';
import { type LiveCompany, openLive } from '../live/live-company.ts';

const files = [...readArticles('articles'), ...readArticles('reference')];
const fencesIn = (text: string): number => text.match(/^```\w/gm)?.length ?? 0;

let company: LiveCompany;
beforeAll(async () => {
  company = await openLive('template_company', {
    schema: describeTables(),
    articles: () => readHelpArticles(company.database.pool('cf_reader', 1)),
  });
});
afterAll(() => company.close());

it('the list has every page of the catalogue', async () => {
  const html = await (await company.app.request('/docs')).text();
  const listed = [...html.matchAll(/<li>\s*<a href="docs\/([^"]+)"/g)].map(([, slug = '']) => slug);
  expect(listed.toSorted()).toEqual(files.map(({ slug }) => slug).toSorted());
});

it('the documentation shows every page whole, with its code, and no link that leads nowhere', async () => {
  for (const { slug, body } of files) {
    const html = await (await company.app.request(`/docs/${slug}`)).text();
    expect(html.split('<pre').length - 1).toBe(fencesIn(body));
    const links = [...html.matchAll(/ href="([a-z][a-z0-9-]*)(?:#[^"]*)?"/g)].map(([, to = '']) => to);
    expect(
      links.filter((to) => !['api', 'search'].includes(to) && !files.some((file) => file.slug === to)),
    ).toEqual([]);
  }
});

it.each([
  ['snowflake', 'docs/load-into-snowflake'],
  ['snoflake', 'docs/load-into-snowflake'],
  ['erase a name', 'docs/erase-a-name'],
  ['roi', 'docs/roi'],
  ['SIGNING_KEYS', 'docs/settings'],
  ['freed capacity', 'docs/cash-and-freed-capacity'],
  ['usd_rate_provisional', 'tables/costs'],
])('the search finds the page about %s among the first five', async (query, wanted) => {
  const html = await (await company.app.request(`/docs/search?q=${query}`)).text();
  const found = [...html.matchAll(/<li>\s*<a href="\.\.\/([^"#]+)/g)].map(([, address]) => address);
  expect(found.slice(0, 5)).toContain(wanted);
});

it('the documentation hides an article that is not published', async () => {
  const owner = await company.database.client('cf_owner');
  await owner.query(`update ledger.help_articles set published = false where slug = 'roi'`);
  const articles = await readHelpArticles(company.database.pool('cf_reader', 1));
  expect(articles.map(({ slug }) => slug)).not.toContain('roi');
  expect(articles).toHaveLength(files.length - 1);
});

it('the documentation is unavailable, not broken, while the database is away', async () => {
  const pool = openPool({
    url: 'postgres://nobody@127.0.0.1:1/none',
    role: 'cf_reader',
    applicationName: 'test',
    max: 1,
    onError: () => undefined,
  });
  await expect(readHelpArticles(pool)).rejects.toMatchObject({ code: 'database_unreachable' });
  await pool.end();
});
