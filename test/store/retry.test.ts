import { expect, test } from 'vitest';
import { CrossfootError, type ErrorCode } from '../../src/errors.ts';
import type { Clock } from '../../src/clock.ts';
import { untilAnswered } from '../../src/store/retry.ts';

/** A clock that moves only by sleeping, with chance at its largest. */
function clock(slowness = 1): Clock & { waits: number[] } {
  const waits: number[] = [];
  let now = 0n;
  return {
    waits,
    now: () => now,
    random: () => 1,
    async sleep(milliseconds) {
      waits.push(milliseconds);
      now += BigInt(Math.round(milliseconds * slowness)) * 1000n;
    },
  };
}

function failing(times: number, code: ErrorCode): () => Promise<number> {
  let tries = 0;
  return async () => {
    tries += 1;
    if (tries <= times) throw new CrossfootError(code, `try ${tries}`);
    return tries;
  };
}

test('the retry goes on while the outcome is unknown, waiting up to twice as long each time', async () => {
  const watched = clock();
  expect(await untilAnswered(watched, failing(7, 'store_outcome_unknown'))).toBe(8);
  // 200 ms doubled each time: 200, 400, … 12,800 after the seventh.
  expect(watched.waits).toEqual([200, 400, 800, 1600, 3200, 6400, 12_800]);
});

test('the retry waits a random part of that time, so that many failed calls do not return together', async () => {
  const watched = { ...clock(), random: () => 0.25 };
  await untilAnswered(watched, failing(2, 'store_outcome_unknown'));
  // A quarter of 200 and of 400.
  expect(watched.waits).toEqual([50, 100]);
});

test('the retry goes on for two minutes with waits of at most 12.8 s, and then gives up', async () => {
  // Seven waits make 25.4 s, and of 12.8 s eight more pass 120 s: 25.4 + 8 x 12.8 = 127.8. So 16 tries are made.
  expect(await untilAnswered(clock(), failing(15, 'store_outcome_unknown'))).toBe(16);
  const watched = clock();
  await expect(untilAnswered(watched, failing(16, 'store_outcome_unknown'))).rejects.toThrow('try 16');
  expect(watched.waits.slice(7)).toEqual(Array.from({ length: 8 }, () => 12_800));
});

test('the retry waits out a bucket that is away for a minute, also with short random waits', async () => {
  const watched = { ...clock(), random: () => 0.05 };
  const away = async (): Promise<string> => {
    if (watched.now() < 60_000_000n) throw new CrossfootError('store_outcome_unknown', 'away');
    return 'back';
  };
  expect(await untilAnswered(watched, away)).toBe('back');
});

test('the retry gives up after two minutes of slow answers', async () => {
  // Each wait takes 100 times as long as asked: 20 + 40 + 80 s, so the fourth failure comes after 140 s.
  await expect(untilAnswered(clock(100), failing(8, 'store_outcome_unknown'))).rejects.toThrow('try 4');
});

test('the retry gives up after two minutes of waits when the clock is set back', async () => {
  const waits: number[] = [];
  const setBack: Clock = {
    now: () => BigInt(-waits.length) * 3_600_000_000n,
    random: () => 1,
    sleep: async (milliseconds) => void waits.push(milliseconds),
  };
  // As with a clock that runs: 15 waits make 127.8 s.
  await expect(untilAnswered(setBack, failing(99, 'store_outcome_unknown'))).rejects.toThrow('try 16');
});

test('the retry stops after an answer', async () => {
  await expect(untilAnswered(clock(), failing(1, 'store_unavailable'))).rejects.toThrow('try 1');
});
