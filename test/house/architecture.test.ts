/** The architecture page, held to the house: it names every room, and no room that is not there. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const TOP = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/ARCHITECTURE.md', TOP), 'utf8');

/** The folders that the first column of the table of rooms names. */
const rooms = [...page.matchAll(/^\| (`[^|]+) \|/gm)]
  .flatMap(([, cell = '']) => [...cell.matchAll(/`([a-z/]+)`/g)])
  .map(([, room = '']) => room);

it('the architecture page names every folder of src, jobs and tools as a room', () => {
  const folders = new Set(
    globSync('{src,jobs,tools}/**/*.ts', { cwd: TOP.pathname }).map((path) => path.replace(/\/[^/]+$/, '')),
  );
  expect(rooms.filter((room) => /^(?:src|jobs|tools)\b/.test(room)).toSorted()).toEqual(
    [...folders].toSorted(),
  );
});

it('the architecture page names only folders and files that are there', () => {
  const files = [...page.matchAll(/`((?:[a-z]+\/)+[a-z-]+\.ts)`/g)].map(([, path = '']) =>
    path.startsWith('test/') ? path : `src/${path}`,
  );
  expect(files.length).toBeGreaterThan(4);
  expect([...rooms, ...files].filter((path) => !existsSync(new URL(path, TOP)))).toEqual([]);
});
