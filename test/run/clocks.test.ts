import { expect, test } from 'vitest';
import { followDatabaseClock } from '../../src/run/clocks.ts';

const HOUR = 3_600_000_000n;
const NOON = 1_770_000_000_000_000n;

/** A database whose clock the test sets, on a machine whose clock stands still; a wait ends when the test says so. */
async function followed(ahead: bigint) {
  const database = { ahead, answers: true };
  const waits: number[] = [];
  let tick = Promise.withResolvers<void>();
  const clock = await followDatabaseClock({
    now: () => NOON,
    readDatabaseClock: async () => {
      if (!database.answers) throw new Error('no answer');
      return NOON + database.ahead;
    },
    sleep: async (milliseconds, signal) => {
      waits.push(milliseconds);
      signal.addEventListener('abort', () => tick.reject(signal.reason));
      await tick.promise;
      tick = Promise.withResolvers();
    },
  });
  const aMinute = async (): Promise<void> => {
    const seen = waits.length;
    tick.resolve();
    await expect.poll(() => waits.length).toBe(seen + 1);
  };
  return { database, clock, waits, aMinute };
}

test('the clock of a server whose machine is two days behind is that of its database', async () => {
  const { clock } = await followed(48n * HOUR);
  expect(clock.now()).toBe(NOON + 48n * HOUR);
  await clock.close();
});

test('the clock of a server follows its database every minute, and stands by the last difference without an answer', async () => {
  const { database, clock, waits, aMinute } = await followed(-HOUR);
  database.ahead = 0n;
  expect(clock.now()).toBe(NOON - HOUR);
  await aMinute();
  expect(clock.now()).toBe(NOON);
  database.ahead = HOUR;
  database.answers = false;
  await aMinute();
  expect(clock.now()).toBe(NOON);
  database.answers = true;
  await aMinute();
  expect(clock.now()).toBe(NOON + HOUR);
  expect(new Set(waits)).toEqual(new Set([60_000]));
  await clock.close();
});
