import { describe, expect, it } from 'vitest';
import {
  addUsage,
  changesBetween,
  compareList,
  exact,
  groupUsage,
  listDifference,
  newestChanges,
  quantityOf,
  unitCost,
  type Usage,
  type UsageSum,
} from '../../src/figures/usage.ts';

const row = (
  month: string,
  unit: string | null,
  quantity: string | null,
  cost: string,
  more: Partial<Usage> = {},
): Usage => ({
  month: `2026-${month}-01`,
  currency: 'USD',
  model: 'm',
  unit,
  recorded: true,
  cost_class: 'usage',
  quantity,
  list_cost: null,
  priced_cost: null,
  billed_cost: cost,
  cost_cents: BigInt(Math.round(Number(cost) * 100)),
  ...more,
});

function sumsOf(...rows: readonly Usage[]): readonly UsageSum[] {
  const sums = new Map<string, UsageSum>();
  for (const each of rows) addUsage(sums, each);
  return [...sums.values()];
}

describe('sums of usage', () => {
  // $4.00 for the 2 tokens of the bill; a file adds 8 tokens, whose cost stands on another row.
  it.each([
    ['whose quantity has a cost', [row('05', 'input_tokens', '2', '4')], 2],
    ['with a quantity of a file alone', [row('05', 'input_tokens', '8', '0', { billed_cost: null })], null],
    [
      'with a quantity of a file beside its own',
      [row('05', 'input_tokens', '2', '4'), row('05', 'input_tokens', '8', '0', { billed_cost: null })],
      null,
    ],
    [
      'with a cost without a quantity',
      [row('05', 'input_tokens', '2', '4'), row('05', 'input_tokens', null, '1')],
      null,
    ],
    ['of partial sums of SQL', [row('05', 'input_tokens', '10', '4', { partial: true })], null],
  ] as const)('have a unit cost only if each part has a quantity and a cost: %s', (_, rows, expected) => {
    const [sum] = sumsOf(...rows);
    expect(sum === undefined ? undefined : unitCost(sum)).toBe(expected);
  });

  it('that are partial have no price: their whole change is use', () => {
    const own = row('05', 'input_tokens', '2', '4');
    const [change] = newestChanges(sumsOf(own, row('06', 'input_tokens', '8', '5', { partial: true })));
    // $5.00 after $4.00, of no known price.
    expect(change?.models).toEqual([
      { model: 'm', unit: 'input_tokens', price_cents: 0n, use_cents: 100n, other_cents: 0n },
    ]);
  });

  it('reads decimals exactly, with their sign', () => {
    expect(exact('-0.006')).toBe(-6n * 10n ** 27n);
    expect(exact('12')).toBe(12n * 10n ** 30n);
    expect(exact('0.000000000000000000000000000001')).toBe(1n);
  });

  it('add quantities and costs of a month, model and unit', () => {
    const [sum, ...others] = sumsOf(
      row('05', 'input_tokens', '1000000', '2'),
      row('05', 'input_tokens', '500000', '1.5'),
    );
    expect(others).toEqual([]);
    expect(sum).toMatchObject({ cost_cents: 350n, cost: exact('3.5') });
    expect(sum && quantityOf(sum)).toBe(1_500_000);
    expect(sum && unitCost(sum, 1_000_000)).toBeCloseTo(2.333_333, 6);
  });

  it.each(['180000000', '14000000', '0.1', '123456789.125', '-3'])(
    'give %s as the nearest number, without a second rounding',
    (quantity) => {
      const [sum] = sumsOf(row('05', 'input_tokens', quantity, '1'));
      expect(sum && quantityOf(sum)).toBe(Number(quantity));
    },
  );

  it('have no unit cost without a quantity, or for a quantity of zero', () => {
    expect(sumsOf(row('05', null, null, '2')).map((sum) => unitCost(sum))).toEqual([null]);
    expect(sumsOf(row('05', 'seats', '0', '2')).map((sum) => unitCost(sum))).toEqual([null]);
  });

  it('take the cents of a cost whose use is not recorded', () => {
    const [sum] = sumsOf(
      row('05', null, null, '0', { recorded: false, billed_cost: null, cost_cents: 123n }),
    );
    expect(sum?.cost).toBe(exact('1.23'));
  });

  it('group over months', () => {
    const sums = sumsOf(row('05', 'seats', '1', '2'), row('06', 'seats', '2', '4'));
    expect(groupUsage(sums, ['model']).map(({ cost_cents }) => cost_cents)).toEqual([600n]);
  });

  it('explain the newest month of a currency against the month before it, and what only the cents of the bills have', () => {
    const sums = sumsOf(
      row('03', 'input_tokens', '1', '7'),
      row('04', 'input_tokens', '5', '50'),
      // Twelve a unit, eight of them; the bill has a cent more.
      row('05', 'input_tokens', '8', '96', { cost_cents: 9_601n }),
      row('05', 'input_tokens', '9', '1', { currency: 'EUR' }),
    );
    expect(newestChanges(sums)).toEqual([
      {
        month: '2026-05-01',
        before: '2026-04-01',
        currency: 'USD',
        models: [
          { model: 'm', unit: 'input_tokens', price_cents: 1_600n, use_cents: 3_000n, other_cents: 0n },
        ],
        rounding_cents: 1n,
      },
    ]);
  });
});

it('two chosen months are compared in each currency with bills in both, without the months between', () => {
  const euros = (month: string, cost: string) => row(month, 'seats', '1', cost, { currency: 'EUR' });
  const sums = sumsOf(
    row('03', 'seats', '2', '4'),
    row('04', 'seats', '1', '9'),
    row('05', 'seats', '4', '4', { cost_cents: 403n }),
    euros('03', '1'),
    euros('04', '2'),
    row('05', 'seats', '1', '5', { currency: 'CHF' }),
    row('03', 'seats', '1', '1', { model: 'n' }),
    row('03', null, null, '0.5', { cost_class: 'tax' }),
  );
  // m: (1 - 2) * 4 = -4 dollars of price and (4 - 2) * 2 = 4 of use; n ended; a tax without a unit: -0.5.
  expect(changesBetween(sums, { month: '2026-05-01', before: '2026-03-01' })).toEqual([
    {
      month: '2026-05-01',
      before: '2026-03-01',
      currency: 'USD',
      models: [
        {
          model: 'm',
          unit: 'seats',
          price_cents: -400n,
          use_cents: 400n,
          other_cents: 0n,
        },
        {
          model: 'n',
          unit: 'seats',
          price_cents: 0n,
          use_cents: -100n,
          other_cents: 0n,
        },
        {
          model: 'm',
          unit: null,
          price_cents: 0n,
          use_cents: 0n,
          other_cents: -50n,
        },
      ],
      rounding_cents: 3n,
    },
  ]);
});

it('the newest change of a currency is between its own last two months', () => {
  const euros = (month: string, cost: string) => row(month, 'seats', '1', cost, { currency: 'EUR' });
  const changes = newestChanges(
    sumsOf(euros('03', '1'), euros('05', '3'), row('05', 'seats', '1', '2'), row('06', 'seats', '1', '7')),
  );
  expect(changes.map(({ currency, before, month }) => [currency, before, month])).toEqual([
    ['EUR', '2026-03-01', '2026-05-01'],
    ['USD', '2026-05-01', '2026-06-01'],
  ]);
});

/** A row with its list cost and its quantity times list price; null where a charge does not say it. */
const listed = (
  cost_class: string,
  list_cost: string | null,
  priced_cost: string | null,
  more: Partial<Usage> = {},
): Usage => row('05', null, null, '1', { cost_class, list_cost, priced_cost, ...more });

const decimal = (millionths: number): string => (millionths / 1_000_000).toFixed(6);

describe('list cost against quantity times list price', () => {
  it.each([
    // 1,234,567 tokens at 0.000003 are 3.703701; the list cost is written with two decimals.
    ['use, as rounding', listed('usage', '3.70', '3.703701'), '-0.003701'],
    ['use without a difference', listed('usage', '10', '10.00'), '0'],
    ['use in the thirtieth decimal', listed('usage', '0', `0.${'0'.repeat(29)}1`), `-0.${'0'.repeat(29)}1`],
    ['a commitment', listed('commitment', '5', '4.5'), '0.5'],
    ['a credit without a price, which is all of it', listed('credit', '-2', null), '-2'],
    ['a tax without a price', listed('tax', '1.234', null), '1.234'],
    ['a correction with a price', listed('correction', '-0.5', '-0.25'), '-0.25'],
    ['a correction without a price', listed('correction', '-0.5', null), '-0.5'],
    ['nothing for use without a price', listed('usage', '7', null), null],
    ['nothing for a commitment without a price', listed('commitment', '7', null), null],
    ['nothing without a list cost', listed('usage', null, '7'), null],
    ['nothing for a tax without a list cost', listed('tax', null, null), null],
  ] as const)('leaves of %s', (_, own, expected) => {
    expect(listDifference(own)).toBe(expected);
  });

  it('is classed, and its parts add up to the list cost by largest remainder', () => {
    const sums = sumsOf(
      listed('usage', '3.70', '3.703701'),
      listed('usage', '10', '10', { model: 'other' }),
      listed('commitment', '5', '4.5'),
      listed('credit', '-2', null),
      listed('tax', '1.234', null),
      listed('correction', '-0.5', '-0.25'),
      listed('usage', '7', null, { billed_cost: '6.5' }),
    );
    // 17.434 of list cost. In cents 1795.3701, -0.3701, 50, -200, 123.4 and -25: the cent that is left over goes to -0.3701, whose
    // remainder is the largest.
    expect(compareList(sums)).toEqual({
      list_cost_cents: 1_743n,
      priced_cents: 1_795n,
      rounding_cents: 0n,
      commitment_cents: 50n,
      credit_cents: -200n,
      tax_cents: 123n,
      correction_cents: -25n,
      not_compared_cents: 650n,
    });
  });

  it('counts a cost whose use was not recorded as not compared, and a quantity of a file as nothing', () => {
    const sums = sumsOf(
      row('05', null, null, '0', { recorded: false, billed_cost: null, cost_cents: 123n }),
      row('05', 'input_tokens', '8', '0', { billed_cost: null }),
    );
    expect(compareList(sums)).toMatchObject({
      list_cost_cents: 0n,
      priced_cents: 0n,
      not_compared_cents: 123n,
    });
  });

  it('is nothing of no sums', () => {
    expect(Object.values(compareList([]))).toEqual(Array.from({ length: 8 }, () => 0n));
  });

  it('has parts of random sums that add up, each less than a cent from its exact amount', () => {
    let seed = 59;
    const next = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const classes = ['usage', 'commitment', 'credit', 'tax', 'correction'] as const;
    for (let round = 0; round < 500; round += 1) {
      // In millionths: what is listed and priced of each class, whole numbers beside the program.
      const rests = new Map<string, number>();
      let [list, priced] = [0, 0];
      const rows = Array.from({ length: 1 + next(8) }, () => {
        const [cost_class = 'usage', a, b] = [classes[next(5)], next(3_000_000) - 1_000_000, next(2_000_000)];
        list += a;
        priced += b;
        rests.set(cost_class, (rests.get(cost_class) ?? 0) + a - b);
        return listed(cost_class, decimal(a), decimal(b));
      });
      const found = compareList(sumsOf(...rows));
      const { list_cost_cents, not_compared_cents, ...parts } = found;
      expect(Object.values(parts).reduce((sum, part) => sum + part, 0n)).toBe(list_cost_cents);
      expect(Number(list_cost_cents)).toBe(Math.sign(list) * Math.round(Math.abs(list) / 10_000) + 0);
      expect(not_compared_cents).toBe(0n);
      const exactParts = [priced, ...classes.map((name) => rests.get(name) ?? 0)];
      const names = ['priced', 'rounding', 'commitment', 'credit', 'tax', 'correction'] as const;
      for (const [index, name] of names.entries())
        expect(Math.abs(Number(found[`${name}_cents`]) * 10_000 - (exactParts[index] ?? 0))).toBeLessThan(
          10_000,
        );
    }
  });
});
