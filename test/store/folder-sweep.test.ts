import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sweepFolder, type SweepFileSystem } from '../../src/store/folder-sweep.ts';

const HOUR = 3_600_000_000n;
const BUILD = 'v1/a/7/s/20260301T000000Z-00000000000000000000000000000001';

let root: string;
let now: bigint;
beforeEach(async () => {
  root = await fs.mkdtemp(join(tmpdir(), 'crossfoot-sweep-'));
  await fs.mkdir(join(root, 'tmp'));
  await fs.writeFile(join(root, 'tmp/half'), 'half');
  await fs.mkdir(join(root, BUILD), { recursive: true });
  now = (await fs.stat(join(root, BUILD), { bigint: true })).mtimeNs / 1000n;
  const at = Number(now / 1000n) / 1000;
  await fs.utimes(join(root, 'tmp/half'), at, at);
  await fs.utimes(join(root, BUILD), at, at);
  now = BigInt(Math.round(at * 1e6));
});
afterEach(() => fs.rm(root, { recursive: true }));

async function sweep(after: bigint, dryRun = false, tools: SweepFileSystem = fs): Promise<string[]> {
  const swept: string[] = [];
  for await (const path of sweepFolder({ fs: tools, root, now: now + after, dryRun })) {
    swept.push(relative(root, path));
  }
  return swept;
}

it('the sweep takes half-written files after a day and empty directories of builds after two', async () => {
  expect(await sweep(24n * HOUR - HOUR)).toEqual([]);
  expect(await sweep(25n * HOUR)).toEqual(['tmp/half']);
  expect(await fs.readdir(join(root, 'tmp'))).toEqual([]);
  expect(await sweep(47n * HOUR)).toEqual([]);
  expect(await sweep(49n * HOUR)).toEqual([BUILD]);
  expect(await fs.readdir(join(root, 'v1/a/7/s'))).toEqual([]);
  expect(await sweep(1000n * HOUR)).toEqual([]);
});

it('the sweep keeps a directory with files, and in a dry run everything', async () => {
  expect(await sweep(1000n * HOUR, true)).toEqual(['tmp/half', BUILD]);
  await fs.writeFile(join(root, BUILD, 'manifest.json'), '{}');
  expect(await sweep(1000n * HOUR)).toEqual(['tmp/half']);
  expect(await fs.readdir(join(root, BUILD))).toEqual(['manifest.json']);
});

it('the sweep goes on when another sweeper was faster, or a builder wrote a file', async () => {
  const raced: SweepFileSystem = {
    ...fs,
    unlink: async (path) => {
      await fs.unlink(path);
      await fs.unlink(path);
    },
    rmdir: async (path) => {
      await fs.writeFile(join(String(path), 'costs.parquet'), 'x');
      await fs.rmdir(path);
    },
  };
  expect(await sweep(1000n * HOUR, false, raced)).toEqual(['tmp/half', BUILD]);
  expect(await fs.readdir(join(root, BUILD))).toEqual(['costs.parquet']);
});

it('the sweep finds nothing in an empty folder', async () => {
  await fs.rm(join(root, 'tmp'), { recursive: true });
  await fs.rm(join(root, 'v1'), { recursive: true });
  expect(await sweep(1000n * HOUR)).toEqual([]);
});
