import { chmod, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fingerprintOf, isStill } from '../../../src/ledger/sources/fingerprint.ts';

let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-fingerprint-'));
  path = join(folder, 'a.csv');
});
afterAll(() => rm(folder, { recursive: true }));

const AT = new Date('2026-03-01T00:00:00Z');

async function writeAt(name: string, text: string): Promise<void> {
  await writeFile(join(folder, name), text);
  await utimes(join(folder, name), AT, AT);
}

it.each<readonly [what: string, change: () => Promise<void>]>([
  ['other bytes of the same length, with the time set back', () => writeAt('a.csv', 'xyz')],
  ['the same bytes again, with the time set back', () => writeAt('a.csv', 'abc')],
  [
    'another file of the same bytes in its place',
    async () => {
      await writeAt('b.csv', 'abc');
      await rename(join(folder, 'b.csv'), path);
    },
  ],
  ['fewer bytes', () => writeAt('a.csv', 'ab')],
  ['no file', () => rm(path)],
])('a file is no longer what it was after %s', async (_, change) => {
  await writeAt('a.csv', 'abc');
  const before = await fingerprintOf(path);
  expect(await isStill(path, before)).toBe(true);
  await chmod(folder, 0o755);
  expect(await isStill(path, before)).toBe(true);
  await change();
  expect(await isStill(path, before)).toBe(false);
});
