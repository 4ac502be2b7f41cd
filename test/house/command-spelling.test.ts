/** Every command that the program or a page prints can be pasted into a terminal of a clone: `npx --no crossfoot …`. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { SETTINGS } from '../../src/config.ts';
import { commandNames } from '../commands/program-here.ts';

const TOP = new URL('../../', import.meta.url);
const COMMENT = /^\s*(?:\*|\/\*|\/\/)/;
/** A whole text in quotes is the name of a session in PostgreSQL. */
const SESSION_NAME = /'crossfoot [a-z, ]+'/g;

const MISSPELLED = new RegExp(
  `(?:npx |(?<!npx --no |[\\w./-]))crossfoot (?:${commandNames().join('|')})(?![\\w-])(?! could)|npm run cli\\b`,
  'g',
);

/** The commands in a line that a shell would not find, or that are spelled another way. */
function misspelled(line: string): readonly string[] {
  return line.replaceAll(SESSION_NAME, '').match(MISSPELLED) ?? [];
}

const PAGES = [
  'README.md',
  'deploy/README.md',
  'docs/CONTRIBUTING.md',
  'docs/{articles,guides,pages,reference}/*.md',
];
/** The lock's name in a customer's database: another name would let two releases load at once. */
const LOCK = 'src/warehouse/into-postgres.ts';

it('every printed command is written npx --no crossfoot', () => {
  const paths = PAGES.flatMap((pattern) => globSync(pattern, { cwd: fileURLToPath(TOP) }));
  const code = globSync('{src,tools}/**/*.ts', { cwd: fileURLToPath(TOP) }).filter((path) => path !== LOCK);
  expect(paths.length).toBeGreaterThan(60);
  const faults = [...paths, ...code].flatMap((path) =>
    readFileSync(new URL(path, TOP), 'utf8')
      .split('\n')
      .filter((line) => path.endsWith('.md') || !COMMENT.test(line))
      .flatMap(misspelled)
      .map((found) => `${path}: "${found}" is written npx --no crossfoot`),
  );
  expect(faults).toEqual([]);
});

it('the rule knows a command that cannot be pasted, and the name of a session', () => {
  expect(misspelled('Run `crossfoot build`.')).toEqual(['crossfoot build']);
  expect(misspelled('Run `npx crossfoot build`, which may ask the registry.')).toEqual([
    'npx crossfoot build',
  ]);
  expect(misspelled('npm run cli -- why')).toEqual(['npm run cli']);
  expect(
    misspelled("npx --no crossfoot build, as 'crossfoot build'; crossfoot build could not connect"),
  ).toEqual([]);
});

it('the setting OWNER_URL and the article on operating name every command that connects as the owner of the ledger', () => {
  const sources = globSync('src/commands/**/*.ts', { cwd: fileURLToPath(TOP) });
  const texts = sources.map((path) => readFileSync(new URL(path, TOP), 'utf8'));
  const commands = texts.flatMap((text) =>
    [...text.matchAll(/withOwner\(context, 'crossfoot (\w+)'/g)].map(([, name]) => `\`${name}\``),
  );
  const rights = readFileSync(new URL('docs/articles/operating.md', TOP), 'utf8').split('## Rights')[1] ?? '';
  const unnamed = [SETTINGS.OWNER_URL.sentence, rights.slice(0, rights.indexOf('need `OWNER_URL`'))].map(
    (text) => [...new Set(commands)].filter((name) => !text.includes(name)),
  );
  expect([commands.length > 8, ...unnamed]).toEqual([true, [], []]);
});
