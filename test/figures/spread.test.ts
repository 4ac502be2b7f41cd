import { expect, it } from 'vitest';
import { spread } from '../../src/figures/spread.ts';

it('the cents left over go to the largest remainders, also of negative parts, and to the first of equals', () => {
  // In tenths of a cent: 1.5, 1.5 and 1.0 are 4.
  expect(spread(4n, [15n, 15n, 10n], 10n)).toEqual([2n, 1n, 1n]);
  // Rounded down, 12.3 and -12.6 are 12 and -13; -12.6 has the larger remainder, 0.4.
  expect(spread(0n, [123n, -126n], 10n)).toEqual([12n, -12n]);
  expect(() => spread(9n, [15n], 10n)).toThrow('9 cents are not the rounded sum of the parts');
});
