import { expect, it } from 'vitest';
import { slopeOf } from './slopes.ts';

it('the slope is that of the line through samples that lie on one', () => {
  // 5 more every 10 seconds: 1,800 an hour; over 20 seconds 10.
  const samples = [100, 105, 110].map((value, at) => ({ seconds: at * 10, value }));
  expect(slopeOf(samples)).toEqual({ first: 100, last: 110, per_hour: 1_800, gained: 10 });
});

it('the slope of values that only swing is 0', () => {
  const samples = [7, 9, 9, 7].map((value, at) => ({ seconds: at, value }));
  expect(slopeOf(samples)).toEqual({ first: 7, last: 7, per_hour: 0, gained: 0 });
});

it('the slope of fewer than two samples is 0', () => {
  expect(slopeOf([{ seconds: 3, value: 4 }])).toEqual({ first: 4, last: 4, per_hour: 0, gained: 0 });
  expect(slopeOf([])).toEqual({ first: 0, last: 0, per_hour: 0, gained: 0 });
});
