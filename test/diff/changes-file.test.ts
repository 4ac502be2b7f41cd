import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { indexChanges } from '../../src/diff/changes-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-changes-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** So many rows, some longer than what is read at once, with characters of several bytes. */
async function written(rows: number) {
  const path = join(folder, `${rows}.ndjson`);
  const lines = Array.from({ length: rows }, (_, row) => ({
    row,
    text: 'ö'.repeat(row === 5 ? 300_000 : row),
  }));
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return { path, lines };
}

it('gives any rows of it, and no more than there are', async () => {
  const { path, lines } = await written(700);
  const file = await indexChanges(await open(path), [
    { name: 'costs', added: 400, removed: 200, changed: 100 },
  ]);
  for (const [first, end] of [
    [0, 1],
    [4, 7],
    [699, 700],
    [0, 700],
  ] as const) {
    expect(await file.read(first, end)).toEqual(lines.slice(first, end));
  }
  expect(await file.read(690, 9_000)).toEqual(lines.slice(690));
  expect([await file.read(700, 800), await file.read(3, 3)]).toEqual([[], []]);
  await file.close();
});

it('is empty when nothing changed', async () => {
  const { path } = await written(0);
  const file = await indexChanges(await open(path), []);
  expect([await file.read(0, 10), file.size_bytes]).toEqual([[], 0]);
  await file.close();
});

it('is refused when it has not the rows that were counted', async () => {
  const { path } = await written(3);
  const handle = await open(path);
  const counted = [{ name: 'costs', added: 4, removed: 0, changed: 0 }];
  await expect(indexChanges(handle, counted)).rejects.toThrow('4 rows changed, the file has 3');
  await handle.close();
});
