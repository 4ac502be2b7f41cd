import { expect, it } from 'vitest';
import { readableAtLeastUntil } from '../../../src/snapshot/format/retention.ts';
import { instantOf } from '../../support/instant-of.ts';

const MADE = instantOf('2026-11-01T02:00:00.000000Z');

it.each([
  // 1 + 14 days.
  ['fourteen days after its moment', '2026-11-02T02:00:00.000000Z', '2026-11-15T02:00:00.000000Z'],
  // If a newer snapshot came now, this snapshot would stay for another day: 20 + 1.
  ['a day from now when it is older', '2026-11-20T02:00:00.000000Z', '2026-11-21T02:00:00.000000Z'],
  // Its moment is in the future, by a wrong clock. If a newer snapshot came now, the days would count from now: 1 + 14 days.
  [
    'fourteen days from now when its moment is later',
    '2026-11-01T01:00:00.000000Z',
    '2026-11-15T01:00:00.000000Z',
  ],
])('the newest snapshot is readable at least until %s', (_, now, until) => {
  expect(readableAtLeastUntil(MADE, instantOf(now))).toBe(instantOf(until));
});
