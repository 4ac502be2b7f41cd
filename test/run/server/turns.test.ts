/** How often a long read of a server gives way to other requests. */
import { expect, it } from 'vitest';
import { openTurns } from '../../../src/run/server/turns.ts';

it('a read gives way after three milliseconds of steps, counted from the end of its last turn', async () => {
  const clock = { now_ms: 0 };
  const given: number[] = [];
  const turn = openTurns(
    () => clock.now_ms,
    async () => {
      given.push(clock.now_ms);
      clock.now_ms += 10; // other requests are answered
    },
  );
  const step = async (step_ms: number): Promise<void> => {
    clock.now_ms += step_ms;
    await turn();
  };
  for (const step_ms of [1, 1, 0.9, 0.1]) await step(step_ms); // 1 + 1 + 0.9 + 0.1 = 3
  await step(2.9); // from 13 to 15.9: too early
  await step(20); // one long step
  expect(given).toEqual([3, 35.9]);
});
