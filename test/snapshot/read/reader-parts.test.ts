/** A file of more than two blocks, and the parts of it that a reader gives. */
import { expect, test } from 'vitest';
import { BLOCK_BYTES } from '../../../src/snapshot/format/digest.ts';
import { readAll } from '../../store/contract.ts';
import { memoryStore } from '../../store/memory-store.ts';
import { aBuild, ACCOUNT, DAY, MIDNIGHT, publishNow, readerAt } from '../builder/build-harness.ts';

const BYTES = Buffer.alloc(2 * BLOCK_BYTES + 7, 'a row of costs. ');

async function published() {
  const objects = new Map<string, Uint8Array>();
  const store = memoryStore(objects);
  await publishNow(store, aBuild('large', MIDNIGHT, new Map([['costs', BYTES]])));
  const reader = readerAt(store, () => MIDNIGHT + DAY);
  const open = (range?: { readonly from: number; readonly to: number }) =>
    reader.openTable(ACCOUNT, '20260301T000000Z', 'costs', range);
  return { objects, open };
}

test('a file is opened whole', async () => {
  const { open } = await published();
  expect(BYTES.equals(await readAll(await open()))).toBe(true);
});

test('a file is opened in part, and read no second time', async () => {
  const { objects, open } = await published();
  const part = { from: BLOCK_BYTES - 3, to: BLOCK_BYTES + 4 };
  expect(await readAll(await open(part))).toEqual(BYTES.subarray(part.from, part.to + 1));
  for (const key of objects.keys()) if (key.includes('/costs.')) objects.delete(key);
  expect(await readAll(await open(part))).toEqual(BYTES.subarray(part.from, part.to + 1));
});

test('a part of a file is at hand up to the size of a block, at any offset, and streamed beyond it', async () => {
  const { open } = await published();
  expect(await open({ from: 0, to: BLOCK_BYTES - 1 })).toBeInstanceOf(Uint8Array);
  expect(await open({ from: 5, to: BLOCK_BYTES + 4 })).toBeInstanceOf(Uint8Array);
  expect(await open({ from: 5, to: BLOCK_BYTES + 5 })).toBeInstanceOf(ReadableStream);
});
