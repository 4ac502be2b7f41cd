import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PlacedText, readPage } from '../../../src/ledger/sources/front-matter.ts';

const textsOf = (fields: ReadonlyMap<string, PlacedText>): Readonly<Record<string, string>> =>
  Object.fromEntries(fields.entries().map(([key, { text }]) => [key, text]));

describe('a page', () => {
  it('is its keys and the text below them, each with its line', () => {
    const { page, faults } = readPage(
      '---\nslug: roi\ntitle: Return, in short\n---\n\n\n# Return\n\nText.\n\n',
    );
    expect(faults).toEqual([]);
    expect([...page.fields]).toEqual([
      ['slug', { text: 'roi', line: 2 }],
      ['title', { text: 'Return, in short', line: 3 }],
    ]);
    expect(page.body).toEqual({ text: '# Return\n\nText.', line: 7 });
  });

  it('may have no text, and lines that end as on Windows', () => {
    const { page, faults } = readPage('---\r\nslug: roi\r\n---\r\n');
    expect(faults).toEqual([]);
    expect(textsOf(page.fields)).toEqual({ slug: 'roi' });
    expect(page.body.text).toBe('');
  });

  it('keeps a line of three dashes in its text', () => {
    expect(readPage('---\nslug: roi\n---\na\n\n---\n\nb\n').page.body.text).toBe('a\n\n---\n\nb');
  });

  it('has no note on a block that our tests do not run, and each line keeps its place', () => {
    const text =
      '---\nslug: roi\n---\na\n\n<!-- not run: needs a cloud -->\n```sh\ntrue\n```\n<!-- kept -->\n';
    expect(readPage(text).page.body).toEqual({ text: 'a\n\n\n```sh\ntrue\n```\n<!-- kept -->', line: 4 });
  });

  it('returns every plain value, with any letters (property)', () => {
    const plain = fc.stringMatching(
      /^[A-Za-z0-9äß/.,;()€][A-Za-z0-9äß/.,;()€-]*(?: [A-Za-z0-9äß/.,;()€]+)*$/,
    );
    const key = fc.stringMatching(/^[a-z_]{1,12}$/);
    fc.assert(
      fc.property(fc.dictionary(key, plain, { noNullPrototype: true }), (fields) => {
        const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`);
        const { page, faults } = readPage(`---\n${lines.join('')}---\n`);
        expect(faults).toEqual([]);
        expect(textsOf(page.fields)).toEqual(fields);
      }),
    );
  });
});

describe('a page is faulted, by line and key, for', () => {
  it.each([
    ['no front matter', '# Title\n', 1, null, 'a line --- before the keys'],
    ['an open end of it', '---\nslug: roi\n', 1, null, 'a second line --- after the keys'],
    ['a key without a value', '---\nslug:\n---\n', 2, null, 'key: value, or the line left out'],
    ['a list', '---\nslug: a\n- b\n---\n', 3, null, 'key: value, or the line left out'],
    ['a key twice', '---\nslug: a\nslug: b\n---\n', 3, 'slug', 'each key once'],
  ])('%s', (_, text, line, field, expected) => {
    expect(readPage(text).faults).toMatchObject([{ line, field, expected }]);
  });

  it.each([
    '"quoted"',
    '[a, b]',
    '{a: b}',
    '- a',
    'a: b',
    'a #b',
    '&a',
    '*a',
    '|',
    '> a',
    '? a',
    'a:',
    '`a`',
  ])('a value that YAML would read otherwise: %s', (value) => {
    expect(readPage(`---\ntitle: ${value}\n---\n`).faults).toEqual([
      {
        line: 2,
        field: 'title',
        value,
        expected: 'a plain value, without signs that YAML would read otherwise',
      },
    ]);
  });
});
