import { beforeEach, describe, expect, it } from 'vitest';
import { ConcurrencyLimit } from '../src/concurrency-limit.ts';

let begun: string[];
let ends: Map<string, () => void>;
beforeEach(() => {
  begun = [];
  ends = new Map();
});

type Limit = ConstructorParameters<typeof ConcurrencyLimit<string>>[0];

function limitOf(more: Partial<Limit>): ConcurrencyLimit<string> {
  return new ConcurrencyLimit({ at_once: 1, waiting: 100, refusal: () => new Error('too many'), ...more });
}

/** Starts work of a key, which runs until `end` is called with its name. */
function start(limit: ConcurrencyLimit<string>, name: string, weight?: number): Promise<void> {
  const work = async (): Promise<void> => {
    begun.push(name);
    await new Promise<void>((resolve) => ends.set(name, resolve));
  };
  const ran = limit.run(name.slice(0, 1), work, weight);
  ran.catch(() => undefined);
  return ran;
}

async function end(name: string): Promise<void> {
  ends.get(name)?.();
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

describe('a concurrency limit of all keys', () => {
  it('A-16: serves the waiting lists in turn: a key with a full list delays another by one piece of work', async () => {
    const limit = limitOf({ in_all: 1 });
    for (let index = 1; index <= 120; index += 1) void start(limit, `a${index}`);
    for (const name of ['b1', 'b2', 'c1']) void start(limit, name);
    for (const name of ['none', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3']) await end(name);
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });

  it('refuses work beyond the list of its key, and of no other key', async () => {
    const limit = limitOf({ in_all: 1, waiting: 2 });
    for (const name of ['a1', 'a2', 'a3']) void start(limit, name);
    await expect(start(limit, 'a4')).rejects.toThrow('too many');
    void start(limit, 'b1');
    await end('none');
    await end('a1');
    expect(begun).toEqual(['a1', 'b1']);
  });

  it('gives a key no second slot while it has its own, though others are free', async () => {
    const limit = limitOf({ in_all: 3 });
    for (const name of ['a1', 'a2', 'b1']) void start(limit, name);
    await end('none');
    expect(begun).toEqual(['a1', 'b1']);
  });

  it('runs work up to its total weight, and heavier work alone', async () => {
    const limit = limitOf({ in_all: 10 });
    void start(limit, 'a1', 6);
    void start(limit, 'b1', 4);
    void start(limit, 'c1', 1);
    await end('none');
    expect(begun).toEqual(['a1', 'b1']);
    await end('b1');
    expect(begun).toEqual(['a1', 'b1', 'c1']);
    void start(limit, 'd1', 50);
    await end('a1');
    expect(begun).toHaveLength(3);
    await end('c1');
    expect(begun).toEqual(['a1', 'b1', 'c1', 'd1']);
  });

  it('lets no light work overtake heavy work that waits, and then starts all that fits', async () => {
    const limit = limitOf({ in_all: 10 });
    void start(limit, 'a1', 5);
    void start(limit, 'b1', 9);
    void start(limit, 'c1', 1);
    void start(limit, 'd1', 1);
    await end('none');
    expect(begun).toEqual(['a1']);
    await end('a1');
    expect(begun).toEqual(['a1', 'b1', 'c1']);
    await end('b1');
    expect(begun).toEqual(['a1', 'b1', 'c1', 'd1']);
  });

  it('starts the next once the work before it gave up waiting', async () => {
    const waits: (() => void)[] = [];
    const after = (_: number, run: () => void) => {
      waits.push(run);
      return () => undefined;
    };
    const limit = limitOf({ in_all: 10, wait: { ms: 1, after } });
    void start(limit, 'a1', 5);
    const late = start(limit, 'b1', 9);
    await end('none');
    void start(limit, 'c1', 1);
    waits[0]?.();
    await expect(late).rejects.toThrow('too many');
    await end('none');
    expect(begun).toEqual(['a1', 'c1']);
  });
});
