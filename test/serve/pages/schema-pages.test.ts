import { expect, it } from 'vitest';
import { describeTables } from '../../../src/tables/describe.ts';
import { fakeApp } from '../fake-parts.ts';

const schema = describeTables();
const { app } = fakeApp({ schema });
const page = async (path: string): Promise<string> => (await app.request(path)).text();

it('the list of all tables is public and in published order', async () => {
  const links = [...(await page('/tables')).matchAll(/<a href="tables\/(\w+)"/g)].map(([, name]) => name);
  expect(links).toEqual(schema.tables.map(({ name }) => name));
});

it('the page of a table shows every column, and leads to the tables it refers to', async () => {
  for (const { name, columns } of schema.tables) {
    const html = await page(`/tables/${name}`);
    expect([...html.matchAll(/<tr id="(\w+)"/g)].map(([, id]) => id)).toEqual(
      columns.map((each) => each.name),
    );
    const linked = [...html.matchAll(/href="([a-z_]+)"\s*>Refers to a row of/g)].map(([, to]) => to);
    expect(linked).toEqual(columns.flatMap(({ references }) => references ?? []));
  }
  expect(await page('/tables/costs')).toMatch(/href="initiatives"\s*>Refers to a row of initiatives</);
  expect(await page('/tables/costs')).toContain(
    '<a href="../snapshots/newest/tables/costs">Rows in the newest snapshot</a>',
  );
  expect(await page('/tables/costs')).toContain('The cost in cents of <code>currency</code>');
  expect(await page('/tables/snapshot')).not.toContain('Refers to a row of');
});

it('the page of an unknown table leads back', async () => {
  const answer = await app.request('/tables/none');
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store']);
  const text = await answer.text();
  expect(text).toContain('There is no such reporting table.');
  expect(text).toContain('<a href="../#snapshots">All snapshots</a>');
  expect(text).toContain('<a href="../tables">All tables</a>');
});

it('the page of a table is sent once to a cache, and has no form', async () => {
  for (const path of ['/tables', '/tables/costs']) {
    const first = await app.request(path);
    expect(first.headers.get('cache-control')).toBe('public, max-age=300');
    expect(first.headers.get('content-security-policy')).toContain("form-action 'none'");
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    expect((await app.request(path, { headers })).status).toBe(304);
  }
});
