import { createHash } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { CrossfootError } from '../../../src/errors.ts';
import type { CheckedFile } from '../../../src/snapshot/read/file-blocks.ts';
import { damagedFiles, type DamagedFiles } from '../../../src/snapshot/read/damaged-files.ts';
import type { Store } from '../../../src/store/store.ts';
import { memoryStore } from '../../store/memory-store.ts';

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
const key = 'v1/a/7/s/x/costs.parquet';
const blocks_key = 'v1/a/7/s/x/costs.blocks';
// Three blocks of four bytes.
const bytes = Buffer.from('0123456789ab');
const blocks = Buffer.concat(['0123', '4567', '89ab'].map((block) => sha256(Buffer.from(block))));
const blocks_sha256 = sha256(blocks).toString('hex');
const file: CheckedFile = { key, blocks_key, size_bytes: 12, block_bytes: 4, blocks_sha256 };
const corrupt = new CrossfootError('file_corrupt', 'first found', { data: { block: 1 } });
const FIVE_SECONDS = 5_000_000n;

let objects: Map<string, Uint8Array>;
let reads: [offset: number, length: number][];
let now: bigint;
let damaged: DamagedFiles;
beforeEach(() => {
  objects = new Map<string, Uint8Array>([
    [key, bytes],
    [blocks_key, blocks],
  ]);
  reads = [];
  now = 0n;
  const store = memoryStore(objects);
  const counted: Store = {
    ...store,
    readRange: (at, offset, length) => {
      reads.push([offset, length]);
      return store.readRange(at, offset, length);
    },
  };
  damaged = damagedFiles({ store: counted, now: () => now });
});

test('a file that was never found damaged is not read', async () => {
  objects.delete(key);
  await damaged.refuse(file);
  expect(reads).toEqual([]);
});

test('only damage is remembered, not a store that gives no answer', async () => {
  damaged.note(file, new CrossfootError('store_unavailable', 'down'));
  damaged.note(file, new Error('other'));
  await damaged.refuse(file);
  expect(reads).toEqual([]);
});

test('a damaged file is refused for five seconds without a look, other files are not', async () => {
  damaged.note(file, corrupt);
  now = FIVE_SECONDS - 1n;
  await expect(damaged.refuse(file)).rejects.toBe(corrupt);
  await damaged.refuse({ ...file, key: 'v1/a/8/s/x/costs.parquet' });
  expect(reads).toEqual([]);
});

test('a damaged file is read again after five seconds, once for all requests, and served if it is whole', async () => {
  damaged.note(file, corrupt);
  now = FIVE_SECONDS;
  await Promise.all([damaged.refuse(file), damaged.refuse(file), damaged.refuse(file)]);
  // The block that was bad, then all of it.
  expect(reads).toEqual([
    [4, 4],
    [0, 12],
  ]);
  now = 0n;
  await damaged.refuse(file);
  expect(reads).toHaveLength(2);
});

test('a file that is still damaged costs one block every five seconds, not the whole file', async () => {
  damaged.note(file, corrupt);
  objects.set(key, Buffer.from('0123x56789ab'));
  for (const times of [1n, 2n, 3n]) {
    now = times * FIVE_SECONDS;
    await expect(damaged.refuse(file)).rejects.toMatchObject({
      code: 'file_corrupt',
      message: `${key}: its block 1 is not what was audited; the file is not served.`,
    });
  }
  expect(reads).toEqual([
    [4, 4],
    [4, 4],
    [4, 4],
  ]);
  objects.set(key, bytes);
  now = 4n * FIVE_SECONDS - 1n;
  await expect(damaged.refuse(file)).rejects.toMatchObject({ code: 'file_corrupt' });
  now = 4n * FIVE_SECONDS;
  await damaged.refuse(file);
});

test('a file whose bad block was restored stays refused while another block is bad', async () => {
  damaged.note(file, corrupt);
  objects.set(key, Buffer.from('x123456789ab'));
  now = FIVE_SECONDS;
  const message = `${key}: its block 0 is not what was audited; the file is not served.`;
  await expect(damaged.refuse(file)).rejects.toMatchObject({ message });
});

test('a damaged file of a snapshot is forgotten once the snapshot expired, and not read again', async () => {
  let kept = true;
  const of = { account_id: 7n, snapshot_id: 'x', file: 'costs.parquet' };
  const own = damagedFiles({ store: memoryStore(objects), now: () => now, isKept: async () => kept });
  own.note({ ...file, of }, corrupt);
  await own.lookAgain();
  expect(own.with(null, of)).toEqual({ at: 0n, files: ['costs.parquet'] });
  kept = false;
  await own.lookAgain();
  expect([own.keys(), own.with(null, of)]).toEqual([[], null]);
});

test('a damaged file is whole again after a look, without a request for it', async () => {
  damaged.note(file, corrupt);
  now = FIVE_SECONDS;
  await damaged.lookAgain();
  expect(damaged.keys()).toEqual([]);
});

test('a quarantine names its own files, and those that were found damaged since', () => {
  const of = { account_id: 7n, snapshot_id: 'x', file: 'costs.parquet' };
  damaged.note({ ...file, of }, corrupt);
  const both = damaged.with({ at: 5n, files: ['budgets.parquet'] }, of);
  expect([both?.at, both?.files.toSorted()]).toEqual([5n, ['budgets.parquet', 'costs.parquet']]);
});
