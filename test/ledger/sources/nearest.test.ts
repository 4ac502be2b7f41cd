import { expect, it } from 'vitest';
import { nearestOf } from '../../../src/ledger/sources/nearest.ts';

it.each([
  // A capital is no other letter, on either side.
  ['Tag', ['Tags'], 'Tags'],
  ['TAG', ['tags'], 'tags'],
  ['Tgas', ['Tags', 'BilledCost'], 'Tags'],
  // 2 of 5 letters may differ, 3 may not.
  ['costs', ['casts', 'cases'], 'casts'],
  ['costs', ['cases'], 'cases'],
  ['costs', ['bases'], null],
])('the name nearest to %s of %j is %j', (name, known, nearest) => {
  expect(nearestOf(name, known)).toBe(nearest);
});
