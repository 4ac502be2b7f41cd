import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { type Files, loadFiles, placedFaults } from '../load/folder.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

function article(id: number, slug: string, more = ''): string {
  return `---\nid: ${id}\nslug: ${slug}\ntheme: Figures\ntitle: About ${slug}\nsummary: All of it.\npublished: true\n${more}---\n\nThe text of ${slug}.\n`;
}
const platform = (key: string, keys = '', body = ''): string =>
  `---\nkey: ${key}\nname: ${key}\ncategory: crm\n${keys}---\n${body}`;

const faults = (files: Files) => placedFaults(loadFiles(database.url('cf_owner'), files));

describe('load of Markdown', () => {
  it('brings pages in like rows, and a second time writes only those that changed', async () => {
    const files = {
      'articles/first.md': article(1, 'first'),
      'reference/second.md': article(2, 'second'),
      'guides/acme.md': platform(
        'acme',
        'connection_method: OAuth\npage_path: /a\n',
        '## Steps\n\nSign in.\n',
      ),
      'guides/README.txt': 'no page',
    };
    const url = database.url('cf_owner');
    const loaded = await loadFiles(url, files);
    expect(loaded['help_articles']).toMatchObject({ inserted: 2 });
    expect(loaded['platform_guides']).toMatchObject({ inserted: 1 });
    const reader = await database.client('cf_reader');
    const { rows } = await reader.query(
      'select slug, theme, title, summary, body, published, generated from ledger.help_articles order by id',
    );
    const same = { theme: 'Figures', summary: 'All of it.', published: true };
    expect(rows).toEqual([
      { ...same, slug: 'first', title: 'About first', body: 'The text of first.', generated: false },
      { ...same, slug: 'second', title: 'About second', body: 'The text of second.', generated: true },
    ]);
    const changed = { ...files, 'articles/first.md': article(1, 'first').replace('The text', 'A new text') };
    const again = await loadFiles(url, changed, { mode: 'upsert' });
    expect(again['help_articles']).toMatchObject({ inserted: 0, updated: 1, unchanged: 1 });
    expect(again['platforms']).toMatchObject({ updated: 0, unchanged: 1 });
  });

  it('takes CSV files of the same folder along', async () => {
    const loaded = await loadFiles(database.url('cf_owner'), {
      'guides/beta.md': platform('beta'),
      'users.csv': 'id,name\n901,Ada\n',
    });
    expect(Object.keys(loaded).toSorted()).toEqual(['platforms', 'users']);
  });
});

describe('a load of Markdown is refused, naming file, line, key and value, for', () => {
  it('what cannot be read, and what the ledger would refuse, each in its own file', async () => {
    expect(
      await faults({
        'articles/bad.md': article(11, 'bad').replace('theme: Figures', 'theme : x'),
        'articles/api.md': article(12, 'api'),
        'guides/gamma.md': platform('gamma', 'auth_type: magic\n'),
        'guides/delta.md': platform('delta', 'page_path: /d\n'),
      }),
    ).toEqual([
      ['articles/bad.md:4 null=theme : x', 'key: value, or the line left out'],
      ['guides/delta.md:1 connection_method=null', expect.stringContaining('a value')],
      ['guides/delta.md:1 steps=null', expect.stringContaining('a value')],
      ['guides/gamma.md:5 auth_type=magic', expect.stringContaining('oauth')],
    ]);
  });

  it('the address of the page of the API', async () => {
    expect(await faults({ 'articles/api.md': article(12, 'api') })).toEqual([
      ['articles/api.md:3 slug=api', 'another slug than api, which the API reference has'],
    ]);
  });

  it('an id that another page has, naming that page', async () => {
    expect(await faults({ 'articles/a.md': article(21, 'a'), 'articles/b.md': article(21, 'b') })).toEqual([
      ['articles/b.md:2 id=21', 'a key of its own; articles/a.md has the same'],
    ]);
  });

  it('bytes that are not UTF-8', async () => {
    const text = Buffer.concat([Buffer.from(article(31, 'c')), Buffer.from([0xff])]);
    expect(await faults({ 'articles/c.md': text })).toEqual([['articles/c.md:1 null=null', 'text in UTF-8']]);
  });

  it('a table that stands there as CSV, too', async () => {
    expect(
      await faults({ 'platforms.csv': 'key,name,category\n', 'guides/eta.md': platform('eta') }),
    ).toContainEqual(['platforms.csv:null null=platforms.csv', 'one file for the rows of a table']);
  });
});
