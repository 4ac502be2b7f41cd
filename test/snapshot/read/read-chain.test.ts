/** Reading any chain: what is asked of the store, and what an answer is taken for. */
import { describe, expect, test } from 'vitest';
import { CrossfootError } from '../../../src/errors.ts';
import { type ChainKind, readChain, readChainOn, readEntry } from '../../../src/snapshot/read/read-chain.ts';
import type { Store } from '../../../src/store/store.ts';
import { memoryStore } from '../../store/memory-store.ts';

/** A chain whose entries are right as long as they say `good`. */
interface Words {
  readonly length: number;
  readonly fault: CrossfootError | null;
}

const fault = (message: string): CrossfootError => new CrossfootError('publish_log_broken', message);

const kind: ChainKind<Words> = {
  empty: { length: 0, fault: null },
  prefix: 'v1/chain/',
  keyOf: (seq) => `v1/chain/${seq}`,
  seqOf: (key) => (/^v1\/chain\/\d+$/.test(key) ? Number(key.slice('v1/chain/'.length)) : null),
  lengthOf: ({ length }) => length,
  follow: (read, bodies) => {
    const wrong = bodies.findIndex((body) => Buffer.from(body).toString() !== 'good');
    return wrong === -1
      ? { length: read.length + bodies.length, fault: null }
      : { length: read.length + wrong, fault: fault(`${read.length + wrong + 1} is wrong`) };
  },
  missing: (seq) => fault(`${seq} is missing`),
};

/** A store with these many good entries, but for those that are told; and the numbers it was asked for. */
function chain(length: number, others: Readonly<Record<number, string | null>> = {}) {
  const objects = new Map<string, Uint8Array>();
  for (let seq = 1; seq <= length; seq += 1) {
    const { [seq]: body = 'good' } = others;
    if (body !== null) objects.set(kind.keyOf(seq), Buffer.from(body));
  }
  const inner = memoryStore(objects);
  const asked: number[] = [];
  const store: Store = {
    ...inner,
    readSmall: (key, cap) => {
      asked.push(kind.seqOf(key) ?? 0);
      return inner.readSmall(key, cap);
    },
  };
  return { objects, store, asked };
}

const upTo = (last: number): readonly number[] => Array.from({ length: last }, (_, index) => index + 1);

describe('a whole chain', () => {
  test.each([0, 1, 15, 16, 17, 33])(
    'of %i entries is asked for once each, and for the one after',
    async (length) => {
      const { store, asked } = chain(length);
      expect(await readChain(store, kind)).toEqual({ length, fault: null });
      expect(asked).toEqual(upTo(length + 1));
    },
  );

  test('is fetched in sixteen concurrent reads, which stop after a fault', async () => {
    const { store, asked } = chain(40, { 18: 'bad', 20: null });
    // The second sixteen hold the fault: neither the third nor what is after the chain is looked for.
    expect(await readChain(store, kind)).toEqual({ length: 17, fault: fault('18 is wrong') });
    expect(asked).toEqual(upTo(32));
  });

  test.each([1, 16, 17, 20])('that lost its entry %i ends before it, and says so', async (lost) => {
    const { store } = chain(21, { [lost]: null });
    expect(await readChain(store, kind)).toEqual({ length: lost - 1, fault: fault(`${lost} is missing`) });
  });

  test('that lost two entries says so of the first', async () => {
    const { store } = chain(6, { 3: null, 5: null });
    expect(await readChain(store, kind)).toEqual({ length: 2, fault: fault('3 is missing') });
  });

  test('ends with the highest listed number, in any order of the listing, and ignores other objects', async () => {
    const { store, asked, objects } = chain(3);
    objects.set('v1/chain/9.tmp', Buffer.from('good'));
    const list: Store['list'] = async function* list(prefix) {
      const keys = await Array.fromAsync(store.list(prefix));
      yield* keys.toReversed();
    };
    expect(await readChain({ ...store, list }, kind)).toEqual({ length: 3, fault: null });
    expect(asked).toEqual([1, 2, 3, 4]);
  });
});

describe('a chain that was read before', () => {
  test('is read on until there is no next entry', async () => {
    const { store, asked } = chain(4);
    expect(await readChainOn(store, kind, { length: 2, fault: null })).toEqual({ length: 4, fault: null });
    expect(asked).toEqual([3, 4, 5]);
  });

  test('is the very same when there is nothing new, with its fault', async () => {
    const known = { length: 2, fault: fault('3 is missing') };
    expect(await readChainOn(chain(2).store, kind, known)).toBe(known);
  });

  test('ends at an entry that is wrong', async () => {
    const { store, asked } = chain(5, { 4: 'bad' });
    expect(await readChainOn(store, kind, { length: 2, fault: null })).toEqual({
      length: 3,
      fault: fault('4 is wrong'),
    });
    expect(asked).toEqual([3, 4]);
  });
});

describe('an entry', () => {
  test('far larger than any is no bytes at all, which are no entry', async () => {
    // 16 KiB are read, and not one byte more.
    const { store, objects } = chain(0);
    objects.set(kind.keyOf(1), Buffer.alloc(16_384, ' ')).set(kind.keyOf(2), Buffer.alloc(16_385, ' '));
    expect((await readEntry(store, kind.keyOf(1)))?.length).toBe(16_384);
    expect(await readEntry(store, kind.keyOf(2))).toEqual(new Uint8Array());
  });

  test('that the store cannot read now is an error, neither missing nor damaged', async () => {
    for (const code of ['store_unavailable', 'store_outcome_unknown'] as const) {
      const refusal = new CrossfootError(code, 'no answer');
      const store: Store = { ...memoryStore(), readSmall: () => Promise.reject(refusal) };
      await expect(readEntry(store, kind.keyOf(1))).rejects.toBe(refusal);
      await expect(readChain(store, kind)).rejects.toBe(refusal);
    }
  });
});
