import { createHash } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { CrossfootError } from '../../src/errors.ts';
import type { CheckedFile } from '../../src/snapshot/file-blocks.ts';
import { damagedFiles, type DamagedFiles } from '../../src/snapshot/damaged-files.ts';
import type { Store } from '../../src/store/store.ts';
import { memoryStore } from '../store/memory-store.ts';

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
const key = 'v1/a/7/s/x/costs.parquet';
const blocks_key = 'v1/a/7/s/x/costs.blocks';
const bytes = Buffer.from('0123456789');
const blocks = sha256(bytes);
const blocks_sha256 = sha256(blocks).toString('hex');
const file: CheckedFile = { key, blocks_key, size_bytes: 10, block_bytes: 16, blocks_sha256 };
const corrupt = new CrossfootError('file_corrupt', 'first found');
const MINUTE = 60_000_000n;

let objects: Map<string, Uint8Array>;
let reads: number;
let now: bigint;
let damaged: DamagedFiles;
beforeEach(() => {
  objects = new Map<string, Uint8Array>([
    [key, bytes],
    [blocks_key, blocks],
  ]);
  reads = 0;
  now = 0n;
  const store = memoryStore(objects);
  const counted: Store = {
    ...store,
    readRange: (...range) => {
      reads += 1;
      return store.readRange(...range);
    },
  };
  damaged = damagedFiles({ store: counted, now: () => now });
});

test('a file that nobody found damaged is not looked at', async () => {
  objects.delete(key);
  await damaged.refuse(file);
  expect(reads).toBe(0);
});

test('only damage is remembered, not a store that gives no answer', async () => {
  damaged.note(file, new CrossfootError('store_unavailable', 'down'));
  damaged.note(file, new Error('other'));
  await damaged.refuse(file);
  expect(reads).toBe(0);
});

test('a damaged file is refused for a minute without a look, other files are not', async () => {
  damaged.note(file, corrupt);
  now = MINUTE - 1n;
  await expect(damaged.refuse(file)).rejects.toBe(corrupt);
  await damaged.refuse({ ...file, key: 'v1/a/8/s/x/costs.parquet' });
  expect(reads).toBe(0);
});

test('after a minute all of it is read once, for however many ask, and is served again if it is right', async () => {
  damaged.note(file, corrupt);
  now = MINUTE;
  await Promise.all([damaged.refuse(file), damaged.refuse(file), damaged.refuse(file)]);
  expect(reads).toBe(1);
  now = 0n;
  await damaged.refuse(file);
  expect(reads).toBe(1);
});

test('a file that is still damaged waits for another minute', async () => {
  damaged.note(file, corrupt);
  objects.set(key, Buffer.from('012345678x'));
  now = MINUTE;
  await expect(damaged.refuse(file)).rejects.toMatchObject({
    code: 'file_corrupt',
    message: `${key}: its block 0 is not what was audited; the file is not served.`,
  });
  objects.set(key, bytes);
  now = 2n * MINUTE - 1n;
  await expect(damaged.refuse(file)).rejects.toMatchObject({ code: 'file_corrupt' });
  expect(reads).toBe(1);
  now = 2n * MINUTE;
  await damaged.refuse(file);
  expect(reads).toBe(2);
});
