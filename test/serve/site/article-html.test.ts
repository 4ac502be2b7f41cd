import { describe, expect, it } from 'vitest';
import { anchorOf, articleHtml, sectionsOf } from '../../../src/serve/site/article-html.ts';

describe('an article as HTML', () => {
  it('A-30: keeps HTML in the text as text', () => {
    expect(articleHtml('<script>alert(1)</script>\n\na <b onclick="x">b</b>')).not.toMatch(/<(?:script|b)/);
  });

  it.each(['javascript:alert(1)', 'JaVaScRiPt:x', 'vbscript:x', 'data:text/html,x', 'file:///etc/passwd'])(
    'makes no link of %s',
    (address) => {
      expect(articleHtml(`[x](${address})`)).not.toContain('<a');
    },
  );

  it('fetches no picture', () => {
    expect(articleHtml('![x](https://elsewhere.example/x.png)')).not.toContain('<img');
  });

  it.each([
    ['roi.md', 'roi'],
    ['../reference/table-costs.md', 'table-costs'],
    ['roi.md#windows', 'roi#windows'],
    ['https://example.com/roi.md', 'https://example.com/roi.md'],
    ['#windows', '#windows'],
  ])('links %s to %s', (written, address) => {
    expect(articleHtml(`[x](${written})`)).toBe(`<p><a href="${address}">x</a></p>\n`);
  });

  it('names its headings', () => {
    expect(articleHtml('## Cash, and `roi`')).toBe(
      '<h2 id="cash-and-roi"><a href="#cash-and-roi">Cash, and <code>roi</code></a></h2>\n',
    );
    expect(anchorOf('Größe & Maß!')).toBe('größe-maß');
  });

  it('is cut into sections at its second headings, not at those in code', () => {
    expect(sectionsOf('First.\n\n## Cash\n\n```sh\n## no heading\n```\n\n### Deep\n\n## Roi\nLast.')).toEqual(
      [
        { heading: null, anchor: null, text: 'First.' },
        { heading: 'Cash', anchor: 'cash', text: '```sh\n## no heading\n```\n\n### Deep' },
        { heading: 'Roi', anchor: 'roi', text: 'Last.' },
      ],
    );
  });

  it('lets what is wide be scrolled by keyboard, and shows code as it is', () => {
    expect(articleHtml('| a |\n|---|\n| b |')).toMatch(
      /^<div class="wide" tabindex="0"><table>\n[^]*<\/table><\/div>\n$/,
    );
    expect(articleHtml('```sql\nselect 1 < 2\n```')).toBe(
      '<pre tabindex="0"><code>select 1 &lt; 2\n</code></pre>\n',
    );
  });
});
