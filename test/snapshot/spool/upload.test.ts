import { describe, expect, it } from 'vitest';
import { BLOCK_BYTES } from '../../../src/snapshot/format/digest.ts';
import { contentOfBytes, upload } from '../../../src/snapshot/spool/upload.ts';
import { memoryStore } from '../../store/memory-store.ts';
import { clockAt } from '../builder/build-harness.ts';

const KEY = 'v1/a/1/s/x/costs.parquet';

/** The store's calls while the bytes are uploaded; `stored` are the bytes that stand at the key before. */
async function calls(bytes: Uint8Array, stored?: Uint8Array): Promise<readonly string[]> {
  const objects = new Map(stored === undefined ? [] : [[KEY, stored]]);
  const asked: string[] = [];
  const store = new Proxy(memoryStore(objects), {
    get: (target, name: 'create') => {
      asked.push(name);
      return target[name];
    },
  });
  await upload(store, clockAt(0n), KEY, contentOfBytes(bytes));
  return asked;
}

describe.each([
  ['one byte', 1, ['create', 'readSmall']],
  ['one block', BLOCK_BYTES, ['create', 'readSmall']],
  ['one block and a byte', BLOCK_BYTES + 1, ['create', 'stat', 'readRange']],
])('an object of %s', (_, size, asked) => {
  const bytes = new Uint8Array(size).fill(7);

  it('is read back whole, in as few calls as its size allows', async () => {
    expect(await calls(bytes)).toEqual(asked);
  });

  it.each([
    ['another byte', new Uint8Array(size).fill(7).fill(8, size - 1)],
    ['a byte more', new Uint8Array(size + 1).fill(7)],
    ['a byte less', new Uint8Array(size - 1).fill(7)],
  ])('is refused with %s in the store', async (_what, stored) => {
    await expect(calls(bytes, stored)).rejects.toMatchObject({ code: 'upload_differs' });
  });
});
