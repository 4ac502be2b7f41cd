import { expect, it } from 'vitest';
import { BuildClocks } from '../../../src/run/builders/build-clocks.ts';

const SECOND = 1_000_000n;

/** Clocks of a process that says when it is; the store's is `ahead` of it. */
function clocksAhead(ahead: bigint) {
  const own = { now: 1_000n * SECOND };
  const store = { ahead, asked: 0 };
  const clocks = new BuildClocks({
    readOwnClock: () => own.now,
    readStoreClock: async () => {
      store.asked += 1;
      return own.now + store.ahead;
    },
  });
  const read = async (lately: boolean) => (await clocks.read(async () => own.now, lately)).store_offset;
  return { own, store, read };
}

it('the start of a build takes the store clock of the earlier build, for less than a minute', async () => {
  const { own, store, read } = clocksAhead(3n * SECOND);
  expect(await read(true)).toBe(3n * SECOND);
  expect(store.asked).toBe(1);
  own.now += 60n * SECOND - 1n;
  expect(await read(true)).toBe(3n * SECOND);
  expect(store.asked).toBe(1);
  own.now += 1n;
  expect(await read(true)).toBe(3n * SECOND);
  expect(store.asked).toBe(2);
});

it('the store is asked for its clock before a build publishes, even if it was asked just before', async () => {
  const { store, read } = clocksAhead(0n);
  await read(true);
  store.ahead = 200n * SECOND;
  expect(await read(false)).toBe(200n * SECOND);
  expect(store.asked).toBe(2);
  // The next build begins with that offset, and is refused before it reads a table.
  expect(await read(true)).toBe(200n * SECOND);
  expect(store.asked).toBe(2);
});

it.each([
  ['set back', -1n],
  ['set forward by an hour', 3_600n * SECOND],
])('a clock of the process that was %s forgets the store clock', async (_, step) => {
  const { own, store, read } = clocksAhead(0n);
  await read(true);
  own.now += step;
  await read(true);
  expect(store.asked).toBe(2);
});
