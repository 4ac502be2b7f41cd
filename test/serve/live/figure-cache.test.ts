import { expect, it } from 'vitest';
import { FigureCache } from '../../../src/serve/live/figure-cache.ts';

/** Work that ends when the test says so. */
function scripted(): {
  readonly work: {
    stands: (moment: number) => Promise<boolean>;
    workOut: () => Promise<{ answer: string; proof: number }>;
  };
  readonly begun: PromiseWithResolvers<string>[];
  changedAt: number;
} {
  const begun: PromiseWithResolvers<string>[] = [];
  const script = {
    begun,
    changedAt: 0,
    work: {
      stands: async (moment: number) => moment >= script.changedAt,
      workOut: async () => {
        const moment = script.changedAt;
        const ends = Promise.withResolvers<string>();
        begun.push(ends);
        return { answer: await ends.promise, proof: moment };
      },
    },
  };
  return script;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('two requests share a running computation if no change came between', async () => {
  const kept = new FigureCache<string, number>();
  const { work, begun } = scripted();
  const both = Promise.all([kept.answer('a', work), kept.answer('a', work)]);
  await turn();
  begun[0]?.resolve('first');
  expect(await both).toEqual(['first', 'first']);
  expect(begun).toHaveLength(1);
});

it('a request after a change never gets a computation that began before it', async () => {
  const kept = new FigureCache<string, number>();
  const script = scripted();
  const early = kept.answer('a', script.work);
  await turn();
  script.changedAt = 1;
  const late = [kept.answer('a', script.work), kept.answer('a', script.work)];
  script.begun[0]?.resolve('before');
  expect(await early).toBe('before');
  await turn();
  script.begun[1]?.resolve('after');
  expect(await Promise.all(late)).toEqual(['after', 'after']);
  expect(script.begun).toHaveLength(2);
});

it('a failure is reported to the requests that started it, and not cached', async () => {
  const kept = new FigureCache<string, number>();
  const { work, begun } = scripted();
  const first = kept.answer('a', work);
  await turn();
  const second = kept.answer('a', work);
  begun[0]?.reject(new Error('too slow'));
  await expect(first).rejects.toThrow('too slow');
  await turn();
  begun[1]?.resolve('second');
  expect(await second).toBe('second');
});

it('different requests have different results', async () => {
  const kept = new FigureCache<string, number>();
  const { work, begun } = scripted();
  const both = Promise.all([kept.answer('a', work), kept.answer('b', work)]);
  await turn();
  begun[0]?.resolve('of a');
  begun[1]?.resolve('of b');
  expect(await both).toEqual(['of a', 'of b']);
});
