import { expect, test } from 'vitest';
import { CrossfootError, type ErrorCode } from '../../src/errors.ts';
import { type Pace, untilAnswered } from '../../src/store/retry.ts';

/** A clock that moves only by sleeping, with chance at its largest. */
function pace(slowness = 1): Pace & { waits: number[] } {
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

test('tries again while the outcome is unknown, waiting up to twice as long each time', async () => {
  const watched = pace();
  expect(await untilAnswered(watched, failing(7, 'store_outcome_unknown'))).toBe(8);
  // 200 ms doubled each time: 200, 400, … 12,800 after the seventh.
  expect(watched.waits).toEqual([200, 400, 800, 1600, 3200, 6400, 12_800]);
});

test('waits any part of that, so that many who failed together do not come back together', async () => {
  const watched = { ...pace(), random: () => 0.25 };
  await untilAnswered(watched, failing(2, 'store_outcome_unknown'));
  // A quarter of 200 and of 400.
  expect(watched.waits).toEqual([50, 100]);
});

test('gives up after eight tries', async () => {
  await expect(untilAnswered(pace(), failing(8, 'store_outcome_unknown'))).rejects.toThrow('try 8');
});

test('gives up after two minutes', async () => {
  // Each wait takes 100 times as long as asked: 20 + 40 + 80 s, so the fourth failure comes after 140 s.
  await expect(untilAnswered(pace(100), failing(8, 'store_outcome_unknown'))).rejects.toThrow('try 4');
});

test('does not try again after an answer', async () => {
  await expect(untilAnswered(pace(), failing(1, 'store_unavailable'))).rejects.toThrow('try 1');
});
