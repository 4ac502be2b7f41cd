/** The style files of the pages: each is served once, each class of a page has a rule, and each rule has a user. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readPageFiles } from '../../../src/run/server/page-files.ts';

const TOP = new URL('../../../', import.meta.url);
const files = (pattern: string): readonly string[] =>
  globSync(pattern, { cwd: fileURLToPath(TOP) })
    .toSorted()
    .map((path) => readFileSync(new URL(path, TOP), 'utf8'));

const styles = files('assets/styles/*.css');
const css = styles.join('').replaceAll(/\/\*[^]*?\*\//g, '');
const source = files('src/{serve,browser,prover}/**/*.ts').join('');

/** The first groups of all matches. */
function found(text: string, pattern: RegExp): ReadonlySet<string> {
  return new Set([...text.matchAll(pattern)].flatMap(([, group]) => group ?? []));
}

const ruled = found(css.replaceAll(/\{[^{}]*\}/g, '{}'), /\.([a-z][\w-]*)/g);
const written = [...found(source, /class="([^"]*)"/g), ...found(source, /className = '([^']*)'/g)]
  .flatMap((names) => names.replaceAll(/\S*\$\{[^}]*\}\S*/g, '').split(/\s+/))
  .filter((name) => name !== '');

/** A class may be put together, as `bar-` and the tone of a figure are. */
function isWritten(name: string): boolean {
  const stem = `${name.slice(0, name.lastIndexOf('-') + 1)}\${`;
  return (
    new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(source) ||
    ['"', '`'].some((quote) => source.includes(`${quote}${stem}`))
  );
}

it('every style file is served once', async () => {
  const { siteStyle, apiStyle } = await readPageFiles();
  expect(styles.filter((text) => !siteStyle.includes(text) && text !== apiStyle)).toEqual([]);
  expect(siteStyle.length + apiStyle.length).toBe(styles.join('').length);
});

it('every class of a page has a rule, or a script that looks for it', () => {
  expect(written.length).toBeGreaterThan(50);
  expect(written.filter((name) => !ruled.has(name) && !source.includes(`('.${name} `))).toEqual([]);
});

it('every class of a rule is written by a page or a script', () => {
  expect(ruled.size).toBeGreaterThan(50);
  expect([...ruled].filter((name) => !isWritten(name))).toEqual([]);
});

it('every custom property of a rule is declared, and used', () => {
  expect(found(css, /var\((--[\w-]+)/g)).toEqual(found(css, /^\s*(--[\w-]+):/gm));
});

it('cards of narrow screens are for screens alone: paper has the table with its heads', () => {
  const blocks = css
    .split(/^(?=@media )/m)
    .filter((text) => /thead \{[^}]*clip-path: inset\(50%\)/.test(text));
  expect(blocks.length).toBe(4); // of money, of moves, of rows, and of tables of snapshots
  expect(blocks.filter((text) => !text.startsWith('@media screen and (max-width: '))).toEqual([]);
});

it('paper has no form and no links to other pages of a list, and keeps the colours of the figures', () => {
  const printed = css.split(/^(?=@media )/m).filter((text) => text.startsWith('@media print'));
  for (const name of ['form.search', 'form.filters', '.snapshot-bar .choose', '.pager a', '.tabs']) {
    expect(printed.join('')).toContain(`  ${name},\n`.replace('.pager a,\n', '.pager a {\n'));
  }
  expect(printed.join('')).toMatch(/\.key::before \{\n {4}print-color-adjust: exact;/);
});

/** The declarations that a print rule gives a selector, from every print block. */
function onPaper(selector: string): string {
  return css
    .split(/^(?=@media )/m)
    .filter((text) => text.startsWith('@media print'))
    .flatMap((text) => [...text.matchAll(/^ {2}([^{}]+?) \{([^}]*)\}/gm)])
    .filter(([, names = '']) => names.split(/,\s+/).includes(selector))
    .map(([, , declarations]) => declarations)
    .join('');
}

it.each(['.statement', '.facts', '.quarters', 'figure', 'tr', '.note'])(
  'paper never breaks inside %s',
  (name) => {
    expect(onPaper(name)).toContain('break-inside: avoid;');
  },
);

it.each(['button', 'input', 'select', '.pick', 'header'])('paper has no %s', (name) => {
  expect(onPaper(name)).toContain('display: none;');
});

it.each(['.across', '.wide'])('paper cuts nothing off that %s scrolls on a screen', (name) => {
  expect(onPaper(name)).toContain('overflow: visible;');
});
