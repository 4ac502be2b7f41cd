import { describe, expect, it } from 'vitest';
import {
  addUsage,
  exact,
  groupUsage,
  monthChanges,
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
  quantity,
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
    const [change] = monthChanges(sumsOf(own, row('06', 'input_tokens', '8', '5', { partial: true })));
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

  it('explain each month against the month before it, and what only the cents of the bills have', () => {
    const sums = sumsOf(
      row('04', 'input_tokens', '5', '50'),
      // Twelve a unit, eight of them; the bill has a cent more.
      row('05', 'input_tokens', '8', '96', { cost_cents: 9_601n }),
      row('05', 'input_tokens', '9', '1', { currency: 'EUR' }),
    );
    expect(monthChanges(sums)).toEqual([
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
