import { mkdtemp, open, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

it('a file of changes returns any range of its rows, and no more than it has', async () => {
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

/** Reads the only line of a file. */
async function readLine(line: string) {
  const path = join(folder, 'line.ndjson');
  await writeFile(path, `${line}\n`);
  const file = await indexChanges(await open(path), [{ name: 'costs', added: 1, removed: 0, changed: 0 }]);
  try {
    return await file.read(0, 1);
  } finally {
    await file.close();
  }
}
const total = (cents: string): string =>
  `{"table":"reported_totals","key":{"scope":"portfolio","initiative_id":null,"window_key":"all"},"moved":[{"because":[{"cents":${cents}}]}]}`;

describe('a whole number beyond 2^53 - 1', () => {
  it.each(['9007199254740992', '-9007199254740993', '18014398509481982'])(
    '%s is refused and named, never rounded',
    async (cents) => {
      await expect(readLine(total(cents))).rejects.toMatchObject({
        code: 'sum_too_large',
        status: 503,
        message: `reported_totals portfolio all: a part is ${cents} cents; a sum may be at most 9007199254740991 cents (2^53 - 1) above or below zero.`,
      });
    },
  );

  it('is named by its figure, the first of a row', async () => {
    const line = total('1').replace(
      '"because"',
      '"before_cents":9007199254740993,"after_cents":9007199254740994,"because"',
    );
    await expect(readLine(line)).rejects.toThrow(
      'reported_totals portfolio all: before is 9007199254740993 cents;',
    );
  });

  it.each([
    '9007199254740991',
    '-9007199254740991',
    '0.12345678901234567',
    '1e300',
    '12345678901234567890.0',
  ])('%s is refused', async (number) => {
    expect(await readLine(total(number))).toEqual([JSON.parse(total(number))]);
  });
});

it('a file of changes is empty when nothing changed', async () => {
  const { path } = await written(0);
  const file = await indexChanges(await open(path), []);
  expect([await file.read(0, 10), file.size_bytes]).toEqual([[], 0]);
  await file.close();
});

it('a file of changes is refused when it has not the number of rows that was counted', async () => {
  const { path } = await written(3);
  const handle = await open(path);
  for (const rows of [4, 2]) {
    const counted = [{ name: 'costs', added: rows, removed: 0, changed: 0 }];
    await expect(indexChanges(handle, counted)).rejects.toThrow(`${rows} rows changed, the file has 3`);
  }
  await handle.close();
});

it('a file of changes reports its size, ends when it is closed, and is refused when it was cut', async () => {
  const { path } = await written(3);
  const handle = await open(path);
  const file = await indexChanges(handle, [{ name: 'costs', added: 3, removed: 0, changed: 0 }]);
  const { size } = await handle.stat();
  expect(file.size_bytes).toBe(size);
  await truncate(path, size - 1);
  await expect(file.read(0, 3)).rejects.toThrow('the file of changes is shorter than it was');
  await file.close();
  expect(handle.fd).toBe(-1);
});
