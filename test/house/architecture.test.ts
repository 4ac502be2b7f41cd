/** The architecture page, held to the house: it names every room, and no room that is not there. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { graphOf } from './import-rules.ts';
import { readSource } from './source.ts';

const TOP = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/ARCHITECTURE.md', TOP), 'utf8');

/** The folders that the first column of the table of rooms names. */
const rooms = [...page.matchAll(/^\| (`[^|]+) \|/gm)]
  .flatMap(([, cell = '']) => [...cell.matchAll(/`([a-z/]+)`/g)])
  .map(([, room = '']) => room);

it('the architecture page names every folder of src, jobs and tools as a room', () => {
  const folders = new Set(
    globSync('{src,jobs,tools}/**/*.ts', { cwd: fileURLToPath(TOP) }).map((path) =>
      path.replace(/\/[^/]+$/, ''),
    ),
  );
  expect(rooms.filter((room) => /^(?:src|jobs|tools)\b/.test(room)).toSorted()).toEqual(
    [...folders].toSorted(),
  );
});

it('the architecture page names every foundation', () => {
  const foundations = globSync('src/*.ts', { cwd: fileURLToPath(TOP) })
    .map((path) => path.replace(/^src\/|\.ts$/g, ''))
    .filter((name) => name !== 'cli');
  const [, cell = ''] = /^\| `src` \(its own files\) \| (.*) \|$/m.exec(page) ?? [];
  const named = [...cell.matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name);
  expect(named.toSorted()).toEqual(foundations.toSorted());
});

it('the architecture page tells the idea before the rooms', () => {
  const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
  expect(headings.slice(0, 3)).toEqual(['The idea', "The data's way", 'The rooms']);
});

/** Where a file stands in the table. The rooms of these folders work together, and `cli.ts` begins the commands. */
function placeOf(path: string): number {
  const folder = path === 'src/cli.ts' ? 'src/commands' : dirname(path);
  return rooms.indexOf(/^(?:src\/tables|src\/run|src\/commands|tools)\b/.exec(folder)?.[0] ?? folder);
}

it('the architecture page lists each room below all rooms that it imports', () => {
  const sources = globSync('{src,jobs,tools}/**/*.ts', { cwd: fileURLToPath(TOP) }).map((path) =>
    readSource(path, readFileSync(new URL(path, TOP), 'utf8')),
  );
  const upward = [...graphOf(sources, true)].flatMap(([path, targets]) =>
    [...targets]
      .filter((target) => /^(?:src|jobs|tools)\//.test(target) && placeOf(target) > placeOf(path))
      .map((target) => `${path} imports ${target}, which stands below it`),
  );
  expect(upward).toEqual([]);
});

it('the page for contributors names only scripts, folders and files that are there', () => {
  const contributing = readFileSync(new URL('docs/CONTRIBUTING.md', TOP), 'utf8');
  const { scripts } = JSON.parse(readFileSync(new URL('package.json', TOP), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const called = [...contributing.matchAll(/npm run ([a-z]+)/g)].map(([, script = '']) => script);
  expect(called.length).toBeGreaterThan(8);
  expect(called.filter((script) => !(script in scripts))).toEqual([]);
  const paths = [...contributing.matchAll(/`((?:\.ci|src|test|docs|schema)\/[\w./-]+)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => !/\/(?:x|NN-check-x)\.\w+$/.test(path));
  expect(paths.length).toBeGreaterThan(8);
  expect(paths.filter((path) => !existsSync(new URL(path, TOP)))).toEqual([]);
});

it('the architecture page names only folders and files that are there', () => {
  const files = [...page.matchAll(/`((?:[a-z]+\/)+[a-z-]+\.ts)`/g)].map(([, path = '']) =>
    path.startsWith('test/') ? path : `src/${path}`,
  );
  expect(files.length).toBeGreaterThan(4);
  expect([...rooms, ...files].filter((path) => !existsSync(new URL(path, TOP)))).toEqual([]);
});
