import { expect, it } from 'vitest';
import { Halt } from '../../src/parquet/halt.ts';

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

async function* oneAndTwo(): AsyncGenerator<number> {
  yield 1;
  yield 2;
}

const never = new Promise<never>(() => undefined);

it('a wait gives the result of its promise while nothing fails', async () => {
  const halt = new Halt();
  await expect(halt.orHalt(Promise.resolve(7))).resolves.toBe(7);
  await expect(halt.orHalt(Promise.reject(new Error('own')))).rejects.toThrow('own');
});

it('the first failure ends every wait, now and later', async () => {
  const halt = new Halt();
  const waits = [halt.orHalt(never), halt.orHalt(never)];
  halt.raise(new Error('first'));
  halt.raise(new Error('second'));
  for (const wait of [...waits, halt.orHalt(never)]) await expect(wait).rejects.toThrow('first');
});

it('a source is read to its end', async () => {
  expect(await all(new Halt().each(oneAndTwo()))).toEqual([1, 2]);
});

it('a source that hangs is left, and told so', async () => {
  const halt = new Halt();
  let left = 0;
  const source = {
    [Symbol.asyncIterator]: () => ({
      next: async () => never,
      return: async () => {
        left += 1;
        throw new Error('of no interest');
      },
    }),
  };
  const items = all(halt.each(source));
  halt.raise(new Error('elsewhere'));
  await expect(items).rejects.toThrow('elsewhere');
  expect(left).toBe(1);
});
