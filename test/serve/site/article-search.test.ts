import { describe, expect, it } from 'vitest';
import { indexArticles } from '../../../src/serve/site/article-search.ts';

describe('the search over the documentation', () => {
  it('shows the text around the word, without the signs of Markdown', () => {
    const [hit] = indexArticles(
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
    )('needle');
    expect(hit?.excerpt).toContain('a needle in a link after');
    expect(hit?.excerpt).toMatch(/^… before .* …$/);
    expect(hit?.excerpt.length).toBeLessThanOrEqual(184);
  });

  it('finds pages with all of the words before it takes those with one of them', () => {
    const index = indexArticles(
      ['cash value', 'cash only', 'value only'].map((body, place) => ({
        slug: `a${place}`,
        theme: null,
        title: `Article ${place}`,
        summary: null,
        generated: false,
        body,
      })),
      { version: 'v1', tables: [] },
    );
    expect(index('cash value').map(({ address }) => address)).toEqual(['docs/a0']);
    expect(index('cash nothing').map(({ address }) => address)).toHaveLength(2);
    expect(index('nothing at all')).toEqual([]);
  });
});
