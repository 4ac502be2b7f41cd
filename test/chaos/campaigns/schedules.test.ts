import { expect, test } from 'vitest';
import { liveThrough } from '../schedules/schedule.ts';
import { runFew } from '../run-few.ts';
import { schedulesCampaign } from './schedules.ts';

const SCHEDULES = 150;

test('the schedules keep every promise through crashes, lost replies, stale listings and pauses', async () => {
  const { done, bad, figures } = await runFew(schedulesCampaign, SCHEDULES);
  expect({ done, bad }).toEqual({ done: SCHEDULES, bad: [] });
  // A simulator in which nothing goes wrong, or nothing is ever published or removed, would show nothing.
  const seldom = Object.entries(figures).filter(([, count]) => count < SCHEDULES / 20);
  expect(seldom).toEqual([]);
});

test('a schedule with the same seed runs again call by call', async () => {
  const first = await liveThrough(20_260_301, true);
  expect(first.trace.length).toBeGreaterThan(50);
  expect(await liveThrough(20_260_301, true)).toEqual(first);
  expect((await liveThrough(20_260_302, true)).trace).not.toEqual(first.trace);
});

test('the campaign of schedules stops when it is aborted', async () => {
  const stopped = await schedulesCampaign.run({
    seed: 1,
    times: SCHEDULES,
    say: () => undefined,
    signal: AbortSignal.abort(),
  });
  expect(stopped.done).toBe(0);
});
