/** What a person finds who searches the documentation as it is, in the words that people used in trials. */
import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { readPage } from '../../../src/ledger/sources/front-matter.ts';
import { type ArticleSearch, indexArticles } from '../../../src/serve/site/article-search.ts';
import { describeTables } from '../../../src/tables/describe.ts';

const DOCS = new URL('../../../docs/', import.meta.url);
const NEWS = 'docs/release-notes';

let search: ArticleSearch;
beforeAll(async () => {
  const pages = ['articles', 'reference'].flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, DOCS)).map((name) => {
      const { page } = readPage(readFileSync(new URL(`${folder}/${name}`, DOCS), 'utf8'));
      const field = (key: string): string | null => page.fields.get(key)?.text ?? null;
      return {
        slug: field('slug') ?? '',
        title: field('title') ?? '',
        summary: field('summary'),
        body: page.body.text,
        theme: null,
        generated: folder === 'reference',
      };
    }),
  );
  search = await indexArticles(pages, describeTables());
});

const pagesOf = async (query: string): Promise<readonly string[]> =>
  (await search(query)).map(({ address }) => address.split('#')[0] ?? '');

describe('a search of the documentation', () => {
  it.each([
    ['pin a snapshot under a name', 'docs/commands'],
    ['filter rows by dollars', 'docs/rows'],
    ['download costs as CSV', 'docs/rows'],
    ['MCP tools/list', 'docs/assistant'],
    ['call the assistant with curl', 'docs/assistant'],
    ['unit cost of tokens', 'docs/ai-spend'],
  ])('for "%s" leads first to %s', async (query, wanted) => {
    expect((await pagesOf(query))[0]).toBe(wanted);
  });

  it.each(['names in addresses', 'pin', 'spreadsheets', 'deliveries', 'blank texts'])(
    'for "%s" leads to an article before it leads to release notes',
    async (query) => {
      const found = await pagesOf(query);
      expect(found[0]).not.toBe(NEWS);
    },
  );

  it('finds release notes where they alone have all words', async () => {
    expect(await pagesOf('rest pack layout asks 44 times')).toContain(NEWS);
  });
});
