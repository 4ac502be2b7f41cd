import { describe, expect, it } from 'vitest';
import { indexArticles, searchedWords } from '../../../src/serve/site/article-search.ts';

describe('the search over the documentation', () => {
  it('shows the text around the word, without the signs of Markdown', async () => {
    const search = await indexArticles(
      [
        {
          slug: 'one',
          theme: null,
          title: 'One',
          summary: null,
          generated: false,
          body: `${'before '.repeat(60)}\n\n| a | \`needle\` in a [link](other.md) |\n\n${'after '.repeat(60)}`,
        },
      ],
      { version: 'v1', tables: [] },
    );
    const [hit] = await search('needle');
    expect(hit?.excerpt).toContain('a needle in a link after');
    expect(hit?.excerpt).toMatch(/^… before .* …$/);
    expect(hit?.excerpt.length).toBeLessThanOrEqual(184);
  });

  it('finds pages with all of the words before it takes those with one of them', async () => {
    const index = await indexOf('cash value', 'cash only', 'value only');
    expect((await index('cash value')).map(({ address }) => address)).toEqual(['docs/a0']);
    expect((await index('cash nothing')).map(({ address }) => address)).toHaveLength(2);
    expect(await index('nothing at all')).toEqual([]);
  });

  it.each([
    ['a '.repeat(100), ['a']],
    ['s_'.repeat(100), ['s']],
    ['Cash cash CASH value', ['cash', 'value']],
    ['amount_cents', ['amount_cents', 'amount', 'cents']],
    [
      'one two three four five six seven eight nine',
      ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'],
    ],
    [`${'x'.repeat(64)} ${'y'.repeat(65)}`, ['x'.repeat(64)]],
    ['How do I pin a snapshot under a name', ['pin', 'snapshot', 'name']],
    ['what is the', ['what', 'is', 'the']],
    [' - ', []],
  ])(
    'looks for each word once: eight words, no small word, no word of more than 64 letters: %s',
    (query, words) => {
      expect(searchedWords(query)).toEqual(words);
    },
  );

  it('takes a word as the beginning of another from three letters', async () => {
    const search = await indexOf('reporting');
    expect([await search('r'), await search('re'), (await search('rep')).length]).toEqual([[], [], 1]);
  });

  it('finds a long word with two wrong letters, and not with three', async () => {
    const search = await indexOf('reconciliationofledgers');
    expect(await search('rxcxnciliationofledgers')).toHaveLength(1);
    expect(await search('rxcxncxliationofledgers')).toHaveLength(0);
  });

  it('lets other requests run after each word', async () => {
    const search = await indexOf('cash value');
    const ended: string[] = [];
    const searched = search('cash value').then(() => ended.push('search'));
    setImmediate(() => ended.push('other requests'));
    await searched;
    expect(ended).toEqual(['other requests', 'search']);
  });

  it('lets other requests run while it indexes', async () => {
    const ended: string[] = [];
    const indexed = indexOf('one', 'two', 'three').then(() => ended.push('index'));
    setImmediate(() => setImmediate(() => ended.push('other requests')));
    await indexed;
    expect(ended).toEqual(['other requests', 'index']);
  });
});

function indexOf(...bodies: readonly string[]) {
  return indexArticles(
    bodies.map((body, index) => ({
      slug: `a${index}`,
      theme: null,
      title: `Article ${index}`,
      summary: null,
      generated: false,
      body,
    })),
    { version: 'v1', tables: [] },
  );
}
