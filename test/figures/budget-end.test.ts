/** When a budget has ended, as each surface says it. */
import { expect, it } from 'vitest';
import { endedOn } from '../../src/figures/budget.ts';
import { compared, version } from './budget-versions.ts';

it.each([
  ['a version without an end', version(), null],
  ['a version that ends in the month of the day, before the day', version({ ends_on: '2026-07-01' }), null],
  ['a version that ended the month before', version({ ends_on: '2026-06-01' }), '2026-06-30'],
  ['a budget that begins later', version({ effective_from: '2026-10-20', ends_on: '2026-12-31' }), null],
] as const)('the last day of %s, as of 15 July', (_, only, last) => {
  expect(endedOn(compared({ versions: [only], spend: [] }))).toBe(last);
});
