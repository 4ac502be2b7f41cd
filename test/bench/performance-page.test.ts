import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { BENCHMARKS } from './benchmarks.ts';
import { readPage, withRuns } from './performance-page.ts';
import type { RecordedRun } from './record.ts';

const RUN: RecordedRun = {
  name: 'table-build',
  title: 'a table of many rows',
  command: 'npm run bench -- table-build --rows 1000',
  date: '2026-11-21',
  machine: { cpu: 'Some CPU', cores: 2, memory_gb: 8, node: 'v24.0.0', load: 0.5 },
  figures: [
    { name: 'wall', value: 1.23456, unit: 'times', against: 'a peer', runs: 3, target: { at_most: 1.35 } },
    { name: 'speed', value: 12_345.6, unit: 'rows/s', against: null, runs: 1, target: { at_least: 20_000 } },
    { name: 'size', value: 7, unit: 'MB', against: null, runs: 1 },
  ],
};

const page = await readPage();
const ORDER = BENCHMARKS.map(({ name }) => name);
const rows = [...page.matchAll(/^\| (?!figure \|)(.+?) \| (\S+) .*? \| .*? \| (.*?) ?\|$/gm)].map(
  ([, name = '', value = '', promised = '']) => ({
    name,
    value: Number(value.replaceAll(',', '')),
    promised,
  }),
);

/** What a text of the source may become: anything stands where it has a value put in. */
function patternOf(text: string): RegExp {
  const parts = text.split(/\$\{[^}]*\}/).map((part) => part.replaceAll(/[^\w ]/g, '\\$&'));
  return new RegExp(`^${parts.join('.+')}$`);
}

it('the performance page says of each figure what it was held against and whether the promise was kept', () => {
  const renewed = withRuns(page, [RUN], ORDER);
  expect(renewed).toContain(
    '## A table of many rows: 1,000 entries\n\n<!-- not run: a benchmark takes minutes to hours -->\n```sh\nnpm run bench -- table-build --rows 1000\n```\n',
  );
  expect(renewed).toContain('On 2026-11-21, 2 × Some CPU, 8 GB, Node v24.0.0, load before the run 0.5.');
  expect(renewed).toContain('| wall | 1.235 times | a peer; 3 runs | at most 1.35: kept |');
  expect(renewed).toContain('| speed | 12,300 rows/s |  | at least 20000: **not kept** |');
  expect(renewed).toContain('| size | 7 MB |  |  |');
});

it('the performance page tells tables of one benchmark apart by the size in their headings', () => {
  const command = 'npm run bench -- small-accounts --accounts 1000';
  expect(withRuns(page, [{ ...RUN, command }], ORDER)).toContain('## A table of many rows: 1,000 accounts\n');
  const headings = [...page.matchAll(/^## .+$/gm)].map(([heading]) => heading);
  expect(new Set(headings).size).toBe(headings.length);
});

it('the performance page keeps what was written by hand when its figures are renewed', () => {
  const [before = ''] = page.split(/^## /m, 1);
  const tried = page.slice(page.indexOf('\n## What was tried'));
  const renewed = withRuns(page, [RUN], ORDER);
  expect(renewed.startsWith(`${before}## A table of many rows`)).toBe(true);
  expect(renewed.endsWith(`|\n${tried}`)).toBe(true);
  expect(withRuns(renewed, [RUN], ORDER)).toBe(renewed);
});

it('the performance page keeps tables that were not measured again, and each new table in its place', () => {
  const old = '## Old\n\n```sh\nnpm run bench -- downloads --rows 1000\n```\n\n| old |\n\n';
  const after = '## After\n\n```sh\nnpm run bench -- table-build --rows 5000\n```\n\n| after |\n\n';
  const renewed = withRuns(`before\n\n${after}${old}## What was tried\n`, [RUN], ORDER);
  const titles = [...renewed.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
  // By benchmark, then by rows: 1,000 before 5,000, and downloads after builds.
  expect(titles).toEqual(['A table of many rows: 1,000 entries', 'After', 'Old', 'What was tried']);
  const again = withRuns(
    renewed,
    [{ ...RUN, name: 'downloads', command: 'npm run bench -- downloads --rows 1000' }],
    ORDER,
  );
  expect(again).not.toContain('| old |');
  expect(again).toContain('| after |');
});

it('the performance page shows commands of benchmarks that there are', () => {
  const commands = [...page.matchAll(/^npm run bench -- (\S+)((?: --(?:rows|accounts) \d+)?)$/gm)];
  expect(commands).toHaveLength(page.split('```sh\n').length - 1);
  const known = BENCHMARKS.map(({ name }) => name);
  expect(commands.filter(([, name = '']) => !known.includes(name))).toEqual([]);
});

it('the performance page shows figures that the benchmarks measure, by their names', () => {
  const sources = globSync('**/*.ts', { cwd: import.meta.dirname })
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => readFileSync(`${import.meta.dirname}/${path}`, 'utf8'));
  const names = sources
    .flatMap((text) => [...text.matchAll(/(['"`])([a-z][\w -]*: .+?)\1/gi)])
    .map(([, , text = '']) => patternOf(text));
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ name }) => !names.some((pattern) => pattern.test(name)))).toEqual([]);
});

it('the performance page says that a promise was kept where it was', () => {
  for (const { name, value, promised } of rows) {
    if (promised === '') continue;
    const [, bound, limit, verdict] = /^at (most|least) ([\d.]+): (.+)$/.exec(promised) ?? [];
    const kept = bound === 'most' ? value <= Number(limit) : value >= Number(limit);
    expect(`${name}: ${verdict}`).toBe(`${name}: ${kept ? 'kept' : '**not kept**'}`);
  }
});
