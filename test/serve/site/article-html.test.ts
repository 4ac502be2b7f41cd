import { describe, expect, it } from 'vitest';
import { anchorOf, articleHtml, sectionsOf } from '../../../src/serve/site/article-html.ts';

describe('an article as HTML', () => {
  it('A-30: keeps HTML in the text as text', async () => {
    expect(await articleHtml('<script>alert(1)</script>\n\na <b onclick="x">b</b>')).not.toMatch(
      /<(?:script|b)/,
    );
  });

  it.each(['javascript:alert(1)', 'JaVaScRiPt:x', 'vbscript:x', 'data:text/html,x', 'file:///etc/passwd'])(
    'makes no link of %s',
    async (address) => {
      expect(await articleHtml(`[x](${address})`)).not.toContain('<a');
    },
  );

  it('fetches no picture', async () => {
    expect(await articleHtml('![x](https://elsewhere.example/x.png)')).not.toContain('<img');
  });

  it.each([
    ['roi.md', 'roi'],
    ['../reference/table-costs.md', 'table-costs'],
    ['roi.md#windows', 'roi#windows'],
    ['https://example.com/roi.md', 'https://example.com/roi.md'],
    ['#windows', '#windows'],
  ])('links %s to %s', async (written, address) => {
    expect(await articleHtml(`[x](${written})`)).toBe(`<p><a href="${address}">x</a></p>\n`);
  });

  it('names its headings', async () => {
    expect(await articleHtml('## Cash, and `roi`')).toBe(
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

  it('lets wide parts be scrolled by keyboard, and shows code unchanged', async () => {
    expect(await articleHtml('| a |\n|---|\n| b |')).toMatch(
      /^<div class="wide" tabindex="0"><table>\n[^]*<\/table><\/div>\n$/,
    );
    expect(await articleHtml('```sql\nselect 1 < 2\n```')).toBe(
      '<pre tabindex="0"><code>select 1 &lt; 2\n</code></pre>\n',
    );
  });

  it('is the same in pieces as whole, with headings in code, in lists and at the end of a list', async () => {
    const text =
      'First.\n\n- one\n- two\n## After\n```sh\n# no heading\n````x\n~~~\n# nor this\n````\n# Last\n\n~~~\n```\n## code\n~~~\n### Deep ###\n```a`b\n## Seen\n';
    expect((await articleHtml(text)).match(/<h\d id="[^"]*"|<pre|<li>/g)).toEqual([
      '<li>',
      '<li>',
      '<h2 id="after"',
      '<pre',
      '<h1 id="last"',
      '<pre',
      '<h3 id="deep"',
      '<h2 id="seen"',
    ]);
    expect(sectionsOf(text).map(({ heading }) => heading)).toEqual([null, 'After', 'Seen']);
  });

  it('lets other requests run between two headings', async () => {
    const ended: string[] = [];
    const article = articleHtml('## One\n\n## Two\n').then(() => ended.push('article'));
    setImmediate(() => setImmediate(() => ended.push('other requests')));
    await article;
    expect(ended).toEqual(['other requests', 'article']);
  });
});
