/** The page on deploying: the commands it tells people to type, and the files and settings it names, exist. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Setting, SETTINGS } from '../../src/config.ts';
import { commandNames, programHere } from '../commands/program-here.ts';

const TOP = new URL('../../', import.meta.url);
const page = readFileSync(new URL('deploy/README.md', TOP), 'utf8');

const commands = [
  ...page.matchAll(/(?:npx --no crossfoot ([a-z]+)((?: --[a-z-]+)*)|run --rm tools ([a-z]+))/g),
];

it.each(commands.map(([, name, options = '', tool = '']) => [name ?? tool, options.trim()]))(
  'the page tells to run %s %s, which the program knows',
  (name, options) => {
    expect(commandNames()).toContain(name);
    const command = programHere().program.commands.find((each) => each.name() === name);
    expect(command?.parseOptions(options === '' ? [] : options.split(' ')).unknown).toEqual([]);
  },
);

it('the page names settings that exist', () => {
  const named = [...page.matchAll(/\b[A-Z][A-Z0-9]*_[A-Z_]+\b/g)].map(([name]) => name);
  expect(named.length).toBeGreaterThan(5);
  const files = Object.entries<Setting>(SETTINGS).flatMap(([name, { secret }]) =>
    secret ? [`${name}_FILE`] : [],
  );
  expect(named.filter((name) => !(name in SETTINGS) && !files.includes(name))).toEqual([]);
});

it('the page names files that are there', () => {
  const named = [...page.matchAll(/deploy\/[\w.-]+|`(crossfoot-[\w.-]+|crontab)`/g)];
  const paths = named.map(([path, bare]) => (bare === undefined ? path : `deploy/${bare}`));
  expect(paths.length).toBeGreaterThan(4);
  expect(paths.filter((path) => !existsSync(new URL(path, TOP)))).toEqual([]);
});
