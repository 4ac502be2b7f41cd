import { expect, it } from 'vitest';
import { performancePage, readPage } from './performance-page.ts';
import { readRecord, type RecordedRun } from './record.ts';

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

it('says of each figure what it was held against and whether the promise was kept', async () => {
  const page = await performancePage([RUN]);
  expect(page).toContain(
    '## A table of many rows: 1,000 entries\n\n```sh\nnpm run bench -- table-build --rows 1000\n```\n',
  );
  expect(page).toContain('On 2026-11-21, 2 × Some CPU, 8 GB, Node v24.0.0, load before the run 0.5.');
  expect(page).toContain('| wall | 1.235 times | a peer; 3 runs | at most 1.35: kept |');
  expect(page).toContain('| speed | 12,300 rows/s |  | at least 20000: **not kept** |');
  expect(page).toContain('| size | 7 MB |  |  |');
});

it('is the page that the last runs make', async () => {
  expect(await readPage()).toBe(await performancePage(await readRecord()));
});
