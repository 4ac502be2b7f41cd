import { describe, expect, it } from 'vitest';
import { PAGE_KINDS } from '../../../src/ledger/sources/page-kinds.ts';
import { readPageRows } from '../../../src/ledger/sources/page-rows.ts';

function read(folder: string, name: string, text: string) {
  const kind = PAGE_KINDS.find((each) => each.folder === folder);
  if (kind === undefined) throw new Error(`no kind of pages is in ${folder}`);
  const { rows, faults } = readPageRows(kind, name, text);
  const shown = rows.map(({ table, cells }) => [
    table,
    Object.fromEntries(cells.entries().map(([column, { text: cell }]) => [column, cell])),
  ]);
  return { rows: shown, faults };
}

const ARTICLE = 'id: 1\nslug: roi\ntheme: Figures\ntitle: Return\nsummary: What comes back.\npublished: true';
const PLATFORM = '---\nkey: acme\nname: Acme\ncategory: crm\n---\n';
const GUIDE = `---
key: acme
name: Acme
category: crm
metric_categories: sales, service
connection_method: OAuth
page_path: /integrations/acme
---

## Steps

1. Sign in.

\`\`\`text
## not a heading
\`\`\`

## Setup script

\`\`\`sh
echo hello
\`\`\`
`;

describe('a page makes', () => {
  it.each([
    ['articles', 'false'],
    ['reference', 'true'],
  ])('an article below %s, generated: %s', (folder, generated) => {
    expect(read(folder, 'roi', `---\n${ARTICLE}\n---\nText.\n`)).toEqual({
      faults: [],
      rows: [
        [
          'help_articles',
          {
            id: '1',
            slug: 'roi',
            theme: 'Figures',
            title: 'Return',
            summary: 'What comes back.',
            published: 'true',
            generated,
            body: 'Text.',
          },
        ],
      ],
    });
  });

  it('a platform, its categories and its guide, the script without its fence', () => {
    const { rows, faults } = read('guides', 'acme', GUIDE);
    expect(faults).toEqual([]);
    expect(rows).toEqual([
      ['platforms', { key: 'acme', name: 'Acme', category: 'crm' }],
      ['platform_metric_categories', { platform_key: 'acme', category: 'sales' }],
      ['platform_metric_categories', { platform_key: 'acme', category: 'service' }],
      [
        'platform_guides',
        {
          platform_key: 'acme',
          connection_method: 'OAuth',
          page_path: '/integrations/acme',
          steps: '1. Sign in.\n\n```text\n## not a heading\n```',
          setup_script: 'echo hello',
        },
      ],
    ]);
  });

  it('only a platform where no guide is written', () => {
    const { rows } = read('guides', 'acme', PLATFORM);
    expect(rows.map(([table]) => table)).toEqual(['platforms']);
  });

  it('a guide of its tips alone', () => {
    const { rows } = read('guides', 'acme', `${PLATFORM}## Tips\n\nAsk Ada.\n`);
    expect(rows.at(-1)).toEqual(['platform_guides', { platform_key: 'acme', tips: 'Ask Ada.' }]);
  });

  it('a script of several lines, each unchanged', () => {
    const { rows } = read('guides', 'acme', `${PLATFORM}## Setup script\n\n\`\`\`sh\none\n\n  two\n\`\`\`\n`);
    expect(rows.at(-1)).toEqual(['platform_guides', { platform_key: 'acme', setup_script: 'one\n\n  two' }]);
  });

  it('no cell of a text that it lacks', () => {
    const { rows, faults } = read('articles', 'roi', `---\n${ARTICLE}\n---\n`);
    expect([faults, Object.keys(rows[0]?.[1] ?? {})]).toEqual([[], expect.not.arrayContaining(['body'])]);
  });
});

describe('a page is faulted for', () => {
  it.each([
    ['articles', `---\n${ARTICLE.replace('slug: roi', 'slug: ROI')}\n---\n`, 'slug'],
    ['templates', '---\nid: 1\nkey: ROI\ntitle: Return\n---\n', 'key'],
  ])('a name of %s in other letters than the file’s', (folder, text, field) => {
    expect(read(folder, 'roi', text).faults).toMatchObject([
      { line: 3, field, value: 'ROI', expected: "the file's own name, roi" },
    ]);
  });

  it('a section, on its own line', () => {
    const { faults } = read('guides', 'acme', `${PLATFORM}\n## Tips\n\na\n\n## Notes\n\nx\n`);
    // Five lines of keys, an empty line, and four lines of tips.
    expect(faults.map(({ line, value }) => [line, value])).toEqual([[11, 'Notes']]);
  });

  it('an unknown key, a missing key and a slug that differs from the file’s name, all at once', () => {
    const text = `---\n${ARTICLE.replace('theme', 'topic')}\n---\n`;
    expect(read('articles', 'return', text).faults).toEqual([
      {
        line: 4,
        field: 'topic',
        value: 'Figures',
        expected: expect.stringContaining('one of the keys id, slug'),
      },
      { line: 1, field: 'theme', value: null, expected: expect.stringContaining('this key') },
      {
        line: 3,
        field: 'slug',
        value: 'roi',
        expected: 'the file\u2019s own name, return'.replace('\u2019', "'"),
      },
    ]);
  });

  it('keys that cannot be read, without calling them missing too', () => {
    expect(
      read('articles', 'roi', `---\n${ARTICLE.replace('theme: ', 'theme:')}\n---\n`).faults,
    ).toHaveLength(1);
  });

  it.each([
    ['a text before the first section', 'Hello.\n\n## Steps\n\nx\n', 'one of the sections Steps'],
    ['an unknown section', '## Notes\n\nx\n', 'one of the sections Steps'],
    ['a section twice', '## Tips\n\na\n\n## Tips\n\nb\n', 'each section once'],
    ['an empty section', '## Tips\n', 'a text below the heading'],
    ['a script that is not one block of code', '## Setup script\n\nRun it.\n', 'one block of code'],
    ['a script of two blocks', '## Setup script\n\n```\na\n```\n```\nb\n```\n', 'one block of code'],
  ])('%s', (_, body, expected) => {
    const { rows, faults } = read('guides', 'acme', `${PLATFORM}${body}`);
    expect(rows).toEqual([]);
    expect(faults.map((fault) => fault.expected)).toEqual([expect.stringContaining(expected)]);
  });
});
