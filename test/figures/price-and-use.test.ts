import { describe, expect, it } from 'vitest';
import { explainChange, type UsedCost } from '../../src/figures/price-and-use.ts';

/** Amounts here are thousandths of a cent. */
const UNIT = 1_000n;
const used = (
  cents: number,
  quantity: number | null,
  model = 'm',
  unit: string | null = 'tokens',
): UsedCost => ({
  model,
  unit: quantity === null ? null : unit,
  quantity: quantity === null ? null : BigInt(quantity),
  cost: BigInt(Math.round(cents * 1_000)),
});
const lines = (before: readonly UsedCost[], after: readonly UsedCost[]): readonly string[] =>
  explainChange(before, after, UNIT).map(
    ({ model, unit, price_cents, use_cents, other_cents }) =>
      `${model} ${unit}: price ${price_cents}, use ${use_cents}, other ${other_cents}`,
  );

const sum = (all: readonly UsedCost[]): bigint => all.reduce((total, { cost }) => total + cost, 0n);

describe('price and use', () => {
  // Each by hand: price = (p1 - p0) * q1, use = (q1 - q0) * p0.
  it.each<[string, readonly UsedCost[], readonly UsedCost[], readonly string[]]>([
    // 10 -> 12 a unit on 5 units.
    ['a higher price', [used(50, 5)], [used(60, 5)], ['m tokens: price 10, use 0, other 0']],
    // 3 more at 10.
    ['more use', [used(50, 5)], [used(80, 8)], ['m tokens: price 0, use 30, other 0']],
    // (12 - 10) * 8 and (8 - 5) * 10.
    ['both', [used(50, 5)], [used(96, 8)], ['m tokens: price 16, use 30, other 0']],
    // (8 - 10) * 4 and (4 - 5) * 10.
    ['less of both', [used(50, 5)], [used(32, 4)], ['m tokens: price -8, use -10, other 0']],
    ['a new model', [], [used(70, 7)], ['m tokens: price 0, use 70, other 0']],
    ['a model that ended', [used(70, 7)], [], ['m tokens: price 0, use -70, other 0']],
    ['a quantity of zero before', [used(5, 0)], [used(20, 2)], ['m tokens: price 0, use 15, other 0']],
    // A cost without use has no price: 4 - 20.
    ['a quantity of zero after', [used(20, 2)], [used(4, 0)], ['m tokens: price 0, use -16, other 0']],
    ['a credit without a quantity', [used(-5, null)], [used(-9, null)], ['m null: price 0, use 0, other -4']],
    // (0 - 10) * 5: what was paid is free now.
    ['a price that falls to nothing', [used(50, 5)], [used(0, 5)], ['m tokens: price -50, use 0, other 0']],
    [
      // a: (10 / 3) * (4 - 3) = 3.333 use and 14 - 10 - 3.333 = 0.667 price; b the same. 8 cents in all: 3 + 3 + 0 + 0 leave
      // two, which the larger remainders of the prices get.
      'thirds of a cent, by largest remainder',
      [used(10, 3, 'a'), used(10, 3, 'b')],
      [used(14, 4, 'a'), used(14, 4, 'b')],
      ['a tokens: price 1, use 3, other 0', 'b tokens: price 1, use 3, other 0'],
    ],
  ])('explains %s', (_what, before, after, expected) => {
    expect(lines(before, after)).toEqual(expected);
  });

  it('has the model that moved the most first, by the sizes of its parts, and each unit of a model for itself', () => {
    // a: price (1 - 10) * 5 = -45 and use (5 - 1) * 10 = 40, 85 in size; b: 60; the tokens of no model: 20.
    const before = [used(60, 6, 'b'), used(10, 1, 'a'), { ...used(20, 2, ''), model: null }];
    const after = [used(5, 5, 'a'), used(7, 7, 'a', 'images'), used(30, 3, 'null')];
    expect(lines(before, after)).toEqual([
      'a tokens: price -45, use 40, other 0',
      'b tokens: price 0, use -60, other 0',
      'null tokens: price 0, use 30, other 0',
      'null tokens: price 0, use -20, other 0',
      'a images: price 0, use 7, other 0',
    ]);
  });

  it('adds up to the rounded change, for any costs', () => {
    let seed = 7;
    const next = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const drawn = (): UsedCost[] =>
      ['a', 'b', 'c', 'd']
        .filter(() => next(4) > 0)
        .map((model) => used(next(90_000) / 1_000 - 20, next(5) === 0 ? 0 : next(40), model));
    for (let round = 0; round < 500; round += 1) {
      const [before, after] = [drawn(), drawn()];
      const change = Number(sum(after) - sum(before)) / 1_000;
      const cents = explainChange(before, after, UNIT).reduce(
        (total, { price_cents, use_cents, other_cents }) => total + price_cents + use_cents + other_cents,
        0n,
      );
      expect(cents).toBe(BigInt(Math.sign(change) * Math.round(Math.abs(change))));
    }
  });
});
