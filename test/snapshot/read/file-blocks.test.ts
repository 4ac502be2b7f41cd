import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { CheckedBytes } from '../../../src/snapshot/read/checked-bytes.ts';
import { readChecked } from '../../../src/snapshot/read/checked-read.ts';
import { readAll } from '../../store/contract.ts';
import { blocks_key, counted, key, stored, taken, ten } from './stored-blocks.ts';

/** Lets happen what is under way. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
}

/** A store whose reads of the file come to an end only when `let` lets them, one block for each call. */
function held() {
  const { store, ...rest } = counted();
  const waiting: (() => void)[] = [];
  const waited: typeof store = {
    ...store,
    async *readRange(name, offset, length) {
      for await (const piece of store.readRange(name, offset, length)) {
        await new Promise<void>((go) => waiting.push(go));
        yield piece;
      }
    },
  };
  /** Lets all that wait go on, one after the other, until `done` is. */
  const letAll = async <Result>(done: Promise<Result>): Promise<Result> => {
    const running = new Set([done]);
    const end = (): void => running.clear();
    done.then(end, end);
    while (running.size > 0) {
      waiting.shift()?.();
      await new Promise(setImmediate);
    }
    return done;
  };
  return { ...rest, store: waited, letAll };
}

describe('several readers at once', () => {
  test('have each block read and checked once, and the same bytes', async () => {
    const { store, file, kept, asked, letAll } = held();
    const readers = Array.from({ length: 5 }, () => readAll(readChecked(store, file, 0, 9, { cache: kept })));
    expect((await letAll(Promise.all(readers))).map(String)).toEqual(Array(5).fill('0123456789'));
    expect(asked).toEqual([blocks_key, '0+10']);
  });

  test('read around what another is reading just now', async () => {
    const { store, file, kept, asked, letAll } = held();
    const one = readAll(readChecked(store, file, 5, 5, { cache: kept }));
    await new Promise(setImmediate);
    const all = readAll(readChecked(store, file, 0, 9, { cache: kept }));
    expect((await letAll(Promise.all([one, all]))).map(String)).toEqual(['5', '0123456789']);
    expect(asked).toEqual([blocks_key, '4+4', '0+4', '8+2']);
  });

  test('are not delayed by a reader that takes nothing', async () => {
    const { store, file, kept } = counted();
    const slow = readChecked(store, file, 0, 9, { cache: kept });
    expect((await slow.next()).value).toEqual(Uint8Array.from(ten.subarray(0, 4)));
    expect(String(await readAll(readChecked(store, file, 0, 9, { cache: kept })))).toBe('0123456789');
    await slow.return(undefined);
  });

  test('read for themselves a block that another reader could not read, and get the error of their own file', async () => {
    const { file, kept, objects, store } = counted();
    const other = 'v1/a/8/s/x/costs.parquet';
    objects.set(other, ten);
    objects.set(key, Buffer.from('01x3456789'));
    const [damaged, intact] = await Promise.all([
      taken(readChecked(store, file, 0, 9, { cache: kept })),
      taken(readChecked(store, { ...file, key: other }, 0, 9, { cache: kept })),
    ]);
    expect(damaged).toEqual({ bytes: Buffer.alloc(0), refused: true });
    expect(intact).toEqual({ bytes: ten, refused: false });
    objects.set(other, Buffer.from('y123456789'));
    const empty = new CheckedBytes(1_000_000);
    const refusals = await Promise.all(
      [file, { ...file, key: other }].map((each) =>
        readAll(readChecked(store, each, 0, 9, { cache: empty })).catch((error: unknown) => String(error)),
      ),
    );
    expect(refusals).toEqual([
      expect.stringContaining(`${key}: its block 0`),
      expect.stringContaining(`${other}: its block 0`),
    ]);
  });

  test('read a block again that was known when they began and was forgotten since', async () => {
    const { store, file } = stored(Buffer.from('0123456789ab'), 2);
    // Room for the list of digests, 448 with its entry, and for one block of 258: the ninth byte's, to begin with.
    const kept = new CheckedBytes(800);
    await readAll(readChecked(store, file, 9, 9, { cache: kept }));
    const asked: string[] = [];
    const watched: typeof store = {
      ...store,
      readRange: (name, offset, length) => {
        asked.push(`${offset}+${length}`);
        return store.readRange(name, offset, length);
      },
    };
    expect(String(await readAll(readChecked(watched, file, 0, 11, { cache: kept })))).toBe('0123456789ab');
    expect(asked).toEqual(['0+8', '8+4']); // up to what was known, which what came before it pushed out
  });
});

test('a damaged block is reported when its turn comes, even if it was read long before', async () => {
  const { store, file, objects } = stored(ten, 4);
  objects.set(key, Buffer.from('0123x56789'));
  const pieces = readChecked(store, file, 0, 9);
  expect((await pieces.next()).value).toEqual(Uint8Array.from(ten.subarray(0, 4)));
  await settle();
  await expect(pieces.next()).rejects.toMatchObject({ code: 'file_corrupt', data: { block: 1 } });
});

/** Counts what is opened and not yet closed. */
function countingOpen() {
  const { store, ...rest } = held();
  const open = { now: 0, ever: 0 };
  async function* readRange(name: string, offset: number, length: number): AsyncGenerator<Uint8Array> {
    open.now += 1;
    open.ever += 1;
    try {
      yield* store.readRange(name, offset, length);
    } finally {
      if (offset === 0) await settle(); // the first one takes longest
      open.now -= 1;
    }
  }
  return { ...rest, store: { ...store, readRange }, open };
}

describe('every part of the file that was opened is closed', () => {
  test('when what is known lies between two of them', async () => {
    const { store, file, kept, letAll, open } = countingOpen();
    for (const [from, to] of [
      [5, 5],
      [0, 9],
    ] as const) {
      const read = readAll(readChecked(store, file, from, to, { cache: kept })).then(() => open.now);
      expect(await letAll(read)).toBe(0);
    }
    expect(open.ever).toBe(3);
  });

  test('when another was reading it, and failed after its reader had gone', async () => {
    const { store, file, kept, objects, letAll, open } = countingOpen();
    await letAll(readAll(readChecked(store, file, 0, 0, { cache: kept })));
    objects.set(key, Buffer.from('0123x56789'));
    const failing = taken(readChecked(store, file, 4, 9, { cache: kept }));
    await settle();
    const leaving = readChecked(store, file, 0, 9, { cache: kept });
    await leaving.next();
    await letAll(Promise.all([failing, leaving.return(undefined)]));
    expect(open.now).toBe(0);
  });
});

test.each([
  ['a piece that is the block is handed on as it is', new Uint8Array(ten), true],
  ['a piece of memory that holds more is copied', new Uint8Array([...ten, 0]).subarray(0, 10), false],
])('%s', async (_, piece, same) => {
  const { store, file } = stored(ten, 10);
  async function* readRange(): AsyncGenerator<Uint8Array> {
    yield piece;
  }
  const { value } = await readChecked({ ...store, readRange }, file, 0, 9).next();
  expect(value).toEqual(new Uint8Array(ten));
  expect(value?.buffer === piece.buffer).toBe(same);
});

test('no more than one block is read ahead of who takes them', async () => {
  const { store, file } = stored(Buffer.from('0123456789abcdefghij'), 2);
  const read: number[] = [];
  const watched: typeof store = {
    ...store,
    async *readRange(name, offset, length) {
      let at = offset;
      for await (const piece of store.readRange(name, offset, length)) {
        for (const byte of piece) {
          read.push(at);
          at += 1;
          yield Uint8Array.of(byte);
        }
      }
    },
  };
  const pieces = readChecked(watched, file, 0, 19);
  await pieces.next();
  await settle();
  expect(Math.max(...read)).toBe(3); // blocks 0 and 1
  await pieces.next();
  await settle();
  expect(Math.max(...read)).toBe(5);
  await pieces.return(undefined);
});

test.each([
  // Blocks of 4 bytes: the last of ten bytes has 2, and the list of digests has three.
  ['its last block', 9],
  ['its list of digests', 8],
])(
  'a file stated as shorter than what was checked under the same digests is refused by %s',
  async (_, size_bytes) => {
    const { store, file, kept } = counted();
    expect(String(await readAll(readChecked(store, file, 0, 9, { cache: kept })))).toBe('0123456789');
    const shorter = { ...file, size_bytes };
    await expect(
      readAll(readChecked(store, shorter, 0, size_bytes - 1, { cache: kept })),
    ).rejects.toMatchObject({
      code: 'file_corrupt',
    });
  },
);

describe('a file of one block', () => {
  const sha256 = createHash('sha256').update(ten).digest('hex');

  test.each([9, 10, 11])(
    'with blocks of %i bytes has its own digest for a list, or is longer',
    async (size) => {
      const { store, file, asked } = counted(size);
      const read = await readAll(readChecked(store, { ...file, sha256 }, 0, 9));
      expect(String(read)).toBe('0123456789');
      expect(asked).toEqual(size < 10 ? [blocks_key, '0+10'] : ['0+10']);
    },
  );

  test('is read with its list if its own digest is not known', async () => {
    const { store, file, asked } = counted(10);
    expect(String(await readAll(readChecked(store, file, 0, 9)))).toBe('0123456789');
    expect(asked).toEqual([blocks_key, '0+10']);
  });

  test('is refused before any read if its digest and the digest of its list disagree', async () => {
    const { store, file, asked } = counted(10);
    const other = createHash('sha256').update('another file').digest('hex');
    expect(await taken(readChecked(store, { ...file, sha256: other }, 0, 9))).toEqual({
      bytes: Buffer.alloc(0),
      refused: true,
    });
    expect(asked).toEqual([]);
  });
});
