/** The two lanes of a build's reads: which connection runs which step, and what the failure of one does to the other. */
import type { Client } from 'pg';
import { expect, it } from 'vitest';
import { Lanes, type OpenBeside, type Step } from '../../../src/snapshot/builder/lanes.ts';

// A step only hands its connection on, so anything that can be told apart is enough.
const [first, second] = [{}, {}] as unknown as readonly [Client, Client];
const refused: OpenBeside = async () => undefined;

/** Steps that note on which connection each ran. */
function noted(names: readonly string[]): { readonly ran: string[]; readonly steps: readonly Step[] } {
  const ran: string[] = [];
  return {
    ran,
    steps: names.map((name) => async (client) => {
      ran.push(`${name} on ${client === first ? 'first' : 'second'}`);
      await Promise.resolve();
    }),
  };
}

it('every step of a build without a large table runs on the first connection', async () => {
  const { ran, steps } = noted(['totals', 'control']);
  await using lanes = new Lanes(steps, () => Promise.reject(new Error('opened')), new AbortController());
  await lanes.drain(first);
  await lanes.joined();
  expect(ran).toEqual(['totals on first', 'control on first']);
});

it('the steps run in their order on one second connection, for any number of large tables', async () => {
  const { ran, steps } = noted(['totals', 'control']);
  let opened = 0;
  const open: OpenBeside = (run) => {
    opened += 1;
    return run(second);
  };
  await using lanes = new Lanes(steps, open, new AbortController());
  lanes.widen();
  lanes.widen();
  await lanes.joined();
  await lanes.drain(first);
  expect({ ran, opened }).toEqual({ ran: ['totals on second', 'control on second'], opened: 1 });
});

it('each step runs once while both connections take from the queue', async () => {
  const { ran, steps } = noted(['totals', 'budgets', 'control', 'companions']);
  await using lanes = new Lanes(steps, (run) => run(second), new AbortController());
  lanes.widen();
  await lanes.drain(first);
  await lanes.joined();
  expect(ran.toSorted().map((line) => line.split(' ')[0])).toEqual([
    'budgets',
    'companions',
    'control',
    'totals',
  ]);
  expect(new Set(ran.map((line) => line.split(' ').at(-1)))).toEqual(new Set(['first', 'second']));
});

it('every step runs on the first connection if the second cannot join', async () => {
  const { ran, steps } = noted(['totals', 'control']);
  await using lanes = new Lanes(steps, refused, new AbortController());
  lanes.widen();
  await lanes.drain(first);
  await lanes.joined();
  expect(ran).toEqual(['totals on first', 'control on first']);
});

it('the lanes open no second connection once no step is left', async () => {
  await using lanes = new Lanes([], () => Promise.reject(new Error('opened')), new AbortController());
  lanes.widen();
  expect(await lanes.joined()).toBeUndefined();
});

it('the error of the second connection stops the first, and is reported at the end', async () => {
  const lost = new Error('lost');
  const stop = new AbortController();
  await using lanes = new Lanes([() => Promise.reject(lost)], (run) => run(second), stop);
  lanes.widen();
  await expect(lanes.joined()).rejects.toBe(lost);
  expect(stop.signal.reason).toBe(lost);
});

it('a step of the second connection ends when the first has failed', async () => {
  const stop = new AbortController();
  const { promise, reject } = Promise.withResolvers<void>();
  stop.signal.addEventListener('abort', () => reject(stop.signal.reason));
  const lanes = new Lanes([() => promise], (run) => run(second), stop);
  lanes.widen();
  await lanes[Symbol.asyncDispose]();
  await expect(promise).rejects.toThrow('the first connection of the build ended');
});
