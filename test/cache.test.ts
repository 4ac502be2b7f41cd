import { describe, expect, it, vi } from 'vitest';
import { Cache } from '../src/cache.ts';

/** A source whose answers the test gives, with what it was told was cached before. */
function source() {
  const asked: { readonly before: number | undefined; readonly answer: PromiseWithResolvers<number> }[] = [];
  const read = (before: number | undefined): Promise<number> => {
    const answer = Promise.withResolvers<number>();
    asked.push({ before, answer });
    return answer.promise;
  };
  return { asked, read };
}

const giving = (value: number) => () => Promise.resolve(value);
const failing = () => Promise.reject(new Error('away'));

describe('a cache', () => {
  it('keeps so many entries, and of more those that were asked for last', async () => {
    const cache = new Cache<string, number>({ max_entries: 2 });
    await cache.get('a', giving(1));
    await cache.get('b', giving(2));
    await cache.get('a', giving(3));
    await cache.get('c', giving(4));
    expect(['a', 'b', 'c'].map((key) => cache.peek(key))).toEqual([1, undefined, 4]);
  });

  it('keeps so many bytes', async () => {
    const cache = new Cache<string, number>({ max_bytes: 10, bytesOf: (bytes) => bytes });
    await cache.get('a', giving(6));
    await cache.get('b', giving(4));
    await cache.get('c', giving(1)); // 6 + 4 + 1 = 11
    expect(['a', 'b', 'c'].map((key) => cache.peek(key))).toEqual([undefined, 4, 1]);
  });

  it('keeps a value above its bytes alone, until the next value comes', async () => {
    const cache = new Cache<string, number>({ max_bytes: 10, bytesOf: (bytes) => bytes });
    await cache.get('a', giving(6));
    await cache.get('large', giving(1_000));
    expect(await cache.get('large', giving(2))).toBe(1_000);
    expect(cache.peek('a')).toBeUndefined();
    await cache.get('b', giving(1));
    expect(['a', 'b', 'large'].map((key) => cache.peek(key))).toEqual([undefined, 1, undefined]);
  });

  it('counts the age of a value from when it was asked for', async () => {
    let now = 0;
    const cache = new Cache<string, number>({ max_entries: 1, max_age: 10, clock: () => now });
    const { asked, read } = source();
    const first = cache.get('a', read);
    now = 9; // the answer is nine old when it comes
    asked[0]?.answer.resolve(1);
    await first;
    expect(await cache.get('a', giving(2))).toBe(1);
    now = 10;
    expect(await cache.get('a', giving(3))).toBe(3);
  });

  it('takes nothing for fresh after its clock was set back', async () => {
    let now = 100;
    const cache = new Cache<string, number>({ max_entries: 1, max_age: 10, clock: () => now });
    await cache.get('a', giving(1));
    now = 99;
    expect(await cache.get('a', giving(2))).toBe(2);
  });

  it('reads once for concurrent callers, and reports a failure to all of them', async () => {
    const cache = new Cache<string, number>({ max_entries: 1 });
    const { asked, read } = source();
    const both = [cache.get('a', read), cache.get('a', read)];
    expect(cache.has('a')).toBe(true);
    asked[0]?.answer.reject(new Error('away'));
    expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(asked).toHaveLength(1);
    expect(cache.has('a')).toBe(false);
  });

  it('reads after the call that allows no age, and not with a read that had begun before', async () => {
    const cache = new Cache<string, number>({ max_entries: 2 });
    const { asked, read } = source();
    const earlier = cache.get('a', read);
    const later = [cache.get('a', read, 0), cache.get('a', read, 0)];
    asked[0]?.answer.resolve(1);
    expect(await earlier).toBe(1);
    await vi.waitUntil(() => asked.length > 1);
    asked[1]?.answer.resolve(2);
    expect(await Promise.all(later)).toEqual([2, 2]);
    expect(asked).toHaveLength(2);
  });

  it('never serves an old value in place of a failure, and hands it to the next read', async () => {
    let now = 0;
    const cache = new Cache<string, number>({ max_entries: 1, max_age: 10, clock: () => now });
    await cache.get('a', giving(1));
    now = 10;
    await expect(cache.get('a', failing)).rejects.toThrow('away');
    const { asked, read } = source();
    void cache.get('a', read);
    expect(asked[0]?.before).toBe(1);
  });

  it('answers with a value that is not cached, and forgets the earlier value', async () => {
    let now = 0;
    const cache = new Cache<string, number>({
      max_entries: 1,
      max_age: 10,
      clock: () => now,
      keep: (value) => value !== 0,
    });
    await cache.get('a', giving(1));
    now = 10;
    expect(await cache.get('a', giving(0))).toBe(0);
    expect(cache.has('a')).toBe(false);
  });

  it('caches nothing of a read whose key was deleted while it ran', async () => {
    const cache = new Cache<string, number>({ max_entries: 1 });
    const { asked, read } = source();
    const reading = cache.get('a', read);
    cache.delete('a');
    asked[0]?.answer.resolve(1);
    expect(await reading).toBe(1);
    expect(cache.peek('a')).toBeUndefined();
  });

  it('disposes of evicted values, and waits for running reads when it is cleared', async () => {
    const disposed: number[] = [];
    const cache = new Cache<string, number>({ max_entries: 2, dispose: (value) => disposed.push(value) });
    await cache.get('a', giving(1));
    await cache.get('b', giving(2));
    await cache.get('c', giving(3));
    expect(disposed).toEqual([1]);
    const { asked, read } = source();
    const last = cache.get('d', read);
    const cleared = cache.clear();
    asked[0]?.answer.resolve(4);
    await Promise.all([last, cleared]);
    expect(new Set(disposed)).toEqual(new Set([1, 2, 3, 4]));
  });
});
