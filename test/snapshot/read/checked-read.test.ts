import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CheckedBytes } from '../../../src/snapshot/read/checked-bytes.ts';
import { joined, openStream, readChecked } from '../../../src/snapshot/read/checked-read.ts';
import { readAll } from '../../store/contract.ts';
import { blocks_key, counted, key, stored, taken, ten } from './stored-blocks.ts';

const fileAndRange = fc
  .record({
    bytes: fc.uint8Array({ minLength: 1, maxLength: 600 }),
    block_bytes: fc.integer({ min: 1, max: 200 }),
  })
  .chain(({ bytes, block_bytes }) => {
    const at = fc.integer({ min: 0, max: bytes.length - 1 });
    const ends = fc.tuple(at, at).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));
    return fc.record({ bytes: fc.constant(bytes), block_bytes: fc.constant(block_bytes), ends, at });
  });

test('any range of any file equals the slice', async () => {
  await fc.assert(
    fc.asyncProperty(fileAndRange, async ({ bytes, block_bytes, ends: { from, to } }) => {
      const { store, file } = stored(bytes, block_bytes);
      expect(await taken(readChecked(store, file, from, to))).toEqual({
        bytes: Buffer.from(bytes.subarray(from, to + 1)),
        refused: false,
      });
    }),
  );
});

test('a flipped byte never comes out, nor any other of its block, and what came before is true', async () => {
  await fc.assert(
    fc.asyncProperty(
      fileAndRange,
      fc.integer({ min: 1, max: 255 }),
      async ({ bytes, block_bytes, ends: { from, to }, at }, flip) => {
        const { store, file, objects } = stored(bytes, block_bytes);
        const bad = Uint8Array.from(bytes);
        bad[at] = (bad[at] ?? 0) ^ flip;
        objects.set(key, bad);
        const badBlock = Math.floor(at / block_bytes) * block_bytes;
        const touched = badBlock <= to && badBlock + block_bytes > from;
        const until = touched ? Math.max(from, badBlock) : to + 1;
        expect(await taken(readChecked(store, file, from, to))).toEqual({
          bytes: Buffer.from(bytes.subarray(from, until)),
          refused: touched,
        });
      },
    ),
  );
});

describe('a checked read gives no byte', () => {
  const damages: Record<string, (objects: Map<string, Uint8Array>) => unknown> = {
    'the file is missing': (objects) => objects.delete(key),
    'the file is empty': (objects) => objects.set(key, new Uint8Array()),
    'the digests are missing': (objects) => objects.delete(blocks_key),
    'the digests are cut': (objects) => objects.set(blocks_key, objects.get(blocks_key)?.slice(0, -1) ?? ten),
    'the digests are longer': (objects) => objects.set(blocks_key, Buffer.alloc(97)),
    'the digests were made for forged bytes': (objects) => {
      const forged = stored(Buffer.from('9876543210'), 4);
      for (const [name, value] of forged.objects) objects.set(name, value);
    },
  };

  test.each(Object.entries(damages))('when %s', async (_, damage) => {
    const { store, file, objects } = stored(ten, 4);
    damage(objects);
    expect(await taken(readChecked(store, file, 0, 9))).toEqual({ bytes: Buffer.alloc(0), refused: true });
    await expect(openStream(readChecked(store, file, 0, 9))).rejects.toMatchObject({ code: 'file_corrupt' });
  });
});

async function* fewer(): AsyncGenerator<Uint8Array> {
  yield ten.subarray(0, 5);
}

async function* more(): AsyncGenerator<Uint8Array> {
  yield Buffer.concat([ten, ten]);
}

test('a checked read refuses a store that gives fewer or more bytes than requested', async () => {
  const { store, file } = stored(ten, 4);
  const short = await taken(readChecked({ ...store, readRange: fewer }, file, 0, 9));
  expect(short).toEqual({ bytes: ten.subarray(0, 4), refused: true });
  const long = await taken(readChecked({ ...store, readRange: more }, file, 0, 9));
  expect(long).toEqual({ bytes: ten, refused: false });
});

test('the bytes beyond the promised size of a longer file are not given', async () => {
  const { store, file, objects } = stored(ten, 4);
  objects.set(key, Buffer.from('0123456789more'));
  expect(await taken(readChecked(store, file, 0, 9))).toEqual({ bytes: ten, refused: false });
});

test('a checked read passes on an error of the store as it is', async () => {
  const { store, file } = stored(ten, 4);
  const refusal = { code: 'store_unavailable' };
  const { CrossfootError } = await import('../../../src/errors.ts');
  const down = { ...store, readSmall: () => Promise.reject(new CrossfootError('store_unavailable', 'down')) };
  await expect(readAll(readChecked(down, file, 0, 9))).rejects.toMatchObject(refusal);
});

describe('the cache of checked blocks', () => {
  test('has the blocks that a range touches, and each is read only once', async () => {
    const { store, file, kept, asked } = counted();
    // Blocks are 0123, 4567 and 89; byte 5 lies in the second.
    expect(String(await readAll(readChecked(store, file, 5, 5, { cache: kept })))).toBe('5');
    expect(asked).toEqual([blocks_key, '4+4']);
    asked.length = 0;
    expect(String(await readAll(readChecked(store, file, 0, 9, { cache: kept })))).toBe('0123456789');
    expect(asked).toEqual(['0+4', '8+2']); // what lies around the kept block
    asked.length = 0;
    expect(String(await readAll(readChecked(store, file, 2, 8, { cache: kept })))).toBe('2345678');
    expect(asked).toEqual([]);
  });

  test('gets neighbouring blocks in one call', async () => {
    const { store, file, kept, asked } = counted();
    await readAll(readChecked(store, file, 3, 9, { cache: kept }));
    expect(asked).toEqual([blocks_key, '0+10']);
  });

  test('has nothing of a bad block, and its other blocks stay true', async () => {
    const { store, file, kept, objects } = counted();
    objects.set(key, Buffer.from('0123x56789'));
    const before = await taken(readChecked(store, file, 0, 9, { cache: kept }));
    expect(before).toEqual({ bytes: ten.subarray(0, 4), refused: true });
    objects.set(key, Buffer.from('xxxx456789'));
    const after = await taken(readChecked(store, file, 0, 9, { cache: kept }));
    expect(after).toEqual({ bytes: ten, refused: false });
  });

  test('has no more than the allowed bytes, and forgets the oldest block first', async () => {
    const { store, file, asked } = counted();
    // An entry counts 256 more than its bytes: the digests 352, a block 260. Three blocks would need 1,130.
    const kept = new CheckedBytes(880);
    for (const at of [0, 4, 8]) await readAll(readChecked(store, file, at, at, { cache: kept }));
    asked.length = 0;
    await readAll(readChecked(store, file, 8, 8, { cache: kept }));
    expect(asked).toEqual([]);
    await readAll(readChecked(store, file, 0, 0, { cache: kept }));
    expect(asked).toEqual(['0+4']);
  });
});

test('several pieces are joined, and a single piece is not copied', async () => {
  const { store, file } = stored(ten, 4);
  expect(String(await joined(readChecked(store, file, 2, 8)))).toBe('2345678');
  const alone = new Uint8Array([7]);
  async function* only(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    yield alone;
  }
  expect(await joined(only())).toBe(alone);
});

describe('a checked read as a stream', () => {
  test('gives the same bytes and breaks where a block is bad', async () => {
    const { store, file, objects } = stored(ten, 4);
    expect(String(await readAll(await openStream(readChecked(store, file, 2, 8))))).toBe('2345678');
    objects.set(key, Buffer.from('0123x56789'));
    expect(await taken(await openStream(readChecked(store, file, 0, 9)))).toEqual({
      bytes: ten.subarray(0, 4),
      refused: true,
    });
  });

  test('frees the file when the reader goes away', async () => {
    const { store, file } = stored(ten, 4);
    let freed = false;
    async function* readRange(): AsyncGenerator<Uint8Array> {
      try {
        yield* store.readRange(key, 0, 10);
      } finally {
        freed = true;
      }
    }
    const stream = await openStream(readChecked({ ...store, readRange }, file, 0, 9));
    await stream.cancel();
    expect(freed).toBe(true);
  });
});
