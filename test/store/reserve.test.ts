import { randomBytes } from 'node:crypto';
import * as promises from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { giveUpReserve, keepReserve, RESERVE_BYTES } from '../../src/store/reserve.ts';

let root: string;
beforeEach(async () => {
  root = await promises.mkdtemp(join(tmpdir(), 'crossfoot-reserve-'));
});
afterEach(() => promises.rm(root, { recursive: true, force: true }));

/** The real folder on a disk that says it has so many bytes left, in blocks of 4096. */
function disk(free_bytes: number, writeFile: typeof promises.writeFile = promises.writeFile) {
  const statfs = (async () => ({
    bavail: free_bytes / 4096,
    bsize: 4096,
  })) as unknown as typeof promises.statfs;
  return { root, chanceBytes: randomBytes, fs: { statfs, writeFile, unlink: promises.unlink } };
}

const SPACE = 1024 ** 3;

test('the reserve holds 4 MiB back that no file system can compress', async () => {
  await keepReserve(disk(SPACE));
  expect(await promises.readdir(root)).toEqual(['reserve']);
  const bytes = await promises.readFile(join(root, 'reserve'));
  expect(bytes).toHaveLength(4 * 1024 * 1024);
  // Of random bytes every value occurs; of zeros one.
  expect(new Set(bytes.subarray(0, 10_000)).size).toBe(256);
});

test('the reserve is given up on a full disk and made again when space returns', async () => {
  await keepReserve(disk(SPACE));
  await giveUpReserve(disk(RESERVE_BYTES));
  expect(await promises.readdir(root)).toEqual(['reserve']);
  await giveUpReserve(disk(RESERVE_BYTES - 4096));
  expect(await promises.readdir(root)).toEqual([]);
  // 4 x 4 MiB must be free: a reserve given up a moment ago is no space.
  await keepReserve(disk(4 * RESERVE_BYTES - 4096));
  expect(await promises.readdir(root)).toEqual([]);
  await keepReserve(disk(4 * RESERVE_BYTES));
  expect(await promises.readdir(root)).toEqual(['reserve']);
});

test('the reserve is completed from its rest when the command freed nothing', async () => {
  expect(await giveUpReserve(disk(RESERVE_BYTES))).toBe(false);
  expect(await giveUpReserve(disk(0))).toBe(true);
  // Less than a quarter of 4 MiB is not worth it; of 1 MiB nine tenths: 943,718.4 bytes.
  await keepReserve(disk(RESERVE_BYTES / 4 - 4096), true);
  expect(await promises.readdir(root)).toEqual([]);
  await keepReserve(disk(RESERVE_BYTES / 4), true);
  expect((await promises.stat(join(root, 'reserve'))).size).toBe(943_718);
});

test('the reserve may be missing on a full disk, and where there is no store', async () => {
  await giveUpReserve(disk(0));
  await promises.rm(root, { recursive: true });
  await giveUpReserve({ fs: promises, root, chanceBytes: randomBytes });
  await keepReserve({ fs: promises, root, chanceBytes: randomBytes });
  await expect(promises.readdir(root)).rejects.toMatchObject({ code: 'ENOENT' });
});

test.each(['ENOSPC', 'EDQUOT'])(
  'the reserve is not left half made on %s, and nothing fails',
  async (code) => {
    const filling = (async (path: string) => {
      await promises.writeFile(path, 'half');
      throw Object.assign(new Error(`injected ${code}`), { code });
    }) as unknown as typeof promises.writeFile; // it is called with a path alone
    await keepReserve(disk(SPACE, filling));
    expect(await promises.readdir(root)).toEqual([]);
  },
);

test('the reserve that is there stays as it is', async () => {
  await promises.writeFile(join(root, 'reserve'), 'made by another process just now');
  await keepReserve(disk(SPACE));
  expect(await promises.readFile(join(root, 'reserve'), 'utf8')).toBe('made by another process just now');
});
