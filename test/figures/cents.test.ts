import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  add,
  addKnown,
  capacity,
  cash,
  cents,
  convert,
  divideRounded,
  netOf,
} from '../../src/figures/cents.ts';
import { spread } from '../../src/figures/spread.ts';
import type { CashCents, Cents } from '../../src/figures/cents.ts';

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

/** What "nearest, halves away from zero" means, checked without computing it. */
function isNearest(result: bigint, numerator: bigint, denominator: bigint): boolean {
  const twiceOff = 2n * magnitude(result * denominator - numerator);
  if (twiceOff !== magnitude(denominator)) return twiceOff < magnitude(denominator);
  return magnitude(result * denominator) > magnitude(numerator);
}

describe('kinds of money', () => {
  it('add up within a kind', () => {
    expect(add(cash(5n), cash(-7n))).toBe(-2n);
  });

  it('do not add up across kinds: the compiler refuses it', () => {
    // @ts-expect-error freed capacity is never added to cash value
    add(cash(1n), capacity(1n));
    // @ts-expect-error nor to a cost
    add(cents(1n), capacity(1n));
    // @ts-expect-error and what `+` makes of the two is no amount of any kind
    const sum: CashCents = cash(1n) + capacity(1n);
    // @ts-expect-error not even of the plain one
    const plain: Cents = cash(1n) + capacity(1n);
    // @ts-expect-error nor is freed capacity netted against a cost
    netOf(capacity(1n), cents(1n));
    expect([sum, plain]).toEqual([2n, 2n]);
  });

  it('take cost from cash value for the net', () => {
    expect(netOf(cash(300n), cents(500n))).toBe(-200n);
  });

  it('keep a missing sum missing, and zero a zero', () => {
    expect(addKnown<Cents>(null, null)).toBeNull();
    expect(addKnown(cents(0n), null)).toBe(0n);
    expect(addKnown(null, cents(3n))).toBe(3n);
    expect(addKnown(cents(2n), cents(3n))).toBe(5n);
  });
});

describe('rounding', () => {
  it('rounds halves away from zero, on both sides of zero', () => {
    expect(divideRounded(5n, 2n)).toBe(3n); // 2.5
    expect(divideRounded(-5n, 2n)).toBe(-3n);
    expect(divideRounded(5n, -2n)).toBe(-3n);
    expect(divideRounded(-5n, -2n)).toBe(3n);
    expect(divideRounded(1n, 2n)).toBe(1n);
    expect(divideRounded(-1n, 2n)).toBe(-1n);
  });

  it('rounds other quotients to the nearer cent', () => {
    expect(divideRounded(4n, 3n)).toBe(1n); // 1.33
    expect(divideRounded(-5n, 3n)).toBe(-2n); // −1.67
    expect(divideRounded(-1n, 3n)).toBe(0n);
    expect(divideRounded(6n, 3n)).toBe(2n);
    expect(divideRounded(0n, 3n)).toBe(0n);
  });

  it('is nearest, halves away from zero, for any two integers', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
        fc.oneof(fc.bigInt({ min: -20n, max: 20n }), fc.bigInt({ min: -(2n ** 40n), max: 2n ** 40n })),
        (numerator, denominator) => {
          fc.pre(denominator !== 0n);
          expect(isNearest(divideRounded(numerator, denominator), numerator, denominator)).toBe(true);
        },
      ),
    );
  });
});

describe('conversion', () => {
  it('multiplies by the exact decimal rate and rounds once', () => {
    expect(convert(1000n, '1.0834567891')).toBe(1083n); // 1083.4567891
    expect(convert(10_000n, '1.08345')).toBe(10_835n); // 10834.5
    expect(convert(-10_000n, '1.08345')).toBe(-10_835n);
    expect(convert(1234n, '1')).toBe(1234n);
    expect(convert(1_000_000n, '0.0067')).toBe(6700n);
  });

  it('rounds a half that a double would miss', () => {
    // 1.005 × 100 is 100.5 exactly, but 100.49999999999999 in doubles.
    expect(convert(100n, '1.005')).toBe(101n);
  });

  it('agrees with the rational product for any rate of up to ten decimals', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 53n), max: 2n ** 53n }),
        fc.bigInt({ min: 1n, max: 10n ** 14n }),
        fc.integer({ min: 1, max: 10 }),
        (amount, units, decimals) => {
          const digits = units.toString().padStart(decimals + 1, '0');
          const rate = `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
          expect(isNearest(convert(amount, rate), amount * units, 10n ** BigInt(decimals))).toBe(true);
        },
      ),
    );
  });
});

it('the cents left over go to the largest remainders, also of negative parts, and to the first of equals', () => {
  // In tenths of a cent: 1.5, 1.5 and 1.0 are 4.
  expect(spread(4n, [15n, 15n, 10n], 10n)).toEqual([2n, 1n, 1n]);
  // Rounded down, 12.3 and -12.6 are 12 and -13; -12.6 has the larger remainder, 0.4.
  expect(spread(0n, [123n, -126n], 10n)).toEqual([12n, -12n]);
  expect(() => spread(9n, [15n], 10n)).toThrow('9 cents are not the rounded sum of the parts');
});
