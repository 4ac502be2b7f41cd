import { expect, it } from 'vitest';
import { dollarStanding } from '../../src/figures/left-out-words.ts';
import { leftOutBesides, settleBeside } from '../../src/figures/unsettled.ts';

it('the unsettled value of a currency has cash value and capacity in one row, and never adds them', () => {
  const { value_left_out } = settleBeside([
    { kind: 'capacity_left_out', currency: 'CHF', amount_cents: 30n, entries: 3n },
    { kind: 'capacity_left_out', currency: 'EUR', amount_cents: 7n, entries: 2n },
    { kind: 'cash_left_out', currency: 'BGN', amount_cents: 100n, entries: 1n },
    { kind: 'cash_left_out', currency: 'EUR', amount_cents: 500n, entries: 4n },
  ]);
  expect(value_left_out).toEqual([
    { currency: 'BGN', amount_cents: 100n, entries: 1n, capacity_amount_cents: 0n, capacity_entries: 0n },
    { currency: 'CHF', amount_cents: 0n, entries: 0n, capacity_amount_cents: 30n, capacity_entries: 3n },
    { currency: 'EUR', amount_cents: 500n, entries: 4n, capacity_amount_cents: 7n, capacity_entries: 2n },
  ]);
});

it('the unsettled amounts keep cost apart from value, and provisional apart from left out', () => {
  expect(
    settleBeside([
      { kind: 'cost_left_out', currency: 'CHF', amount_cents: -5n, entries: 1n },
      { kind: 'cost_left_out', currency: 'KES', amount_cents: 9n, entries: 2n },
      { kind: 'provisional_cost', currency: 'USD', amount_cents: 11n, entries: 3n },
    ]),
  ).toEqual({
    value_left_out: [],
    cost_left_out: [
      { currency: 'CHF', amount_cents: -5n, entries: 1n },
      { currency: 'KES', amount_cents: 9n, entries: 2n },
    ],
    provisional_cost_cents: 11n,
  });
});

it('the unsettled amounts are empty where everything is settled', () => {
  expect(settleBeside([])).toEqual({ value_left_out: [], cost_left_out: [], provisional_cost_cents: 0n });
});

/** Cash value of a currency and its entries, and capacity and its entries. */
const value = (
  currency: string,
  [amount_cents, entries]: readonly [bigint, bigint],
  [capacity_amount_cents, capacity_entries]: readonly [bigint, bigint],
) => ({ currency, amount_cents, entries, capacity_amount_cents, capacity_entries });

it('the rest of the amounts without dollars has cash value and capacity of each currency, and no empty currency', () => {
  const all = {
    cost_left_out: [
      { currency: 'CHF', amount_cents: 70n, entries: 3n },
      { currency: 'KES', amount_cents: 9n, entries: 1n },
    ],
    value_left_out: [
      value('BGN', [100n, 2n], [0n, 0n]),
      value('CHF', [40n, 1n], [30n, 3n]),
      value('EUR', [500n, 4n], [7n, 2n]),
      value('KES', [0n, 0n], [5n, 1n]),
    ],
  };
  const some = {
    cost_left_out: [
      { currency: 'CHF', amount_cents: 20n, entries: 1n },
      { currency: 'KES', amount_cents: 9n, entries: 1n },
    ],
    value_left_out: [
      value('BGN', [100n, 2n], [0n, 0n]),
      value('CHF', [40n, 1n], [10n, 1n]),
      value('EUR', [200n, 1n], [7n, 2n]),
    ],
  };
  expect(leftOutBesides(all, some)).toEqual({
    cost_left_out: [{ currency: 'CHF', amount_cents: 50n, entries: 2n }],
    value_left_out: [
      value('CHF', [0n, 0n], [20n, 2n]), // capacity alone
      value('EUR', [300n, 3n], [0n, 0n]), // cash value alone
      value('KES', [0n, 0n], [5n, 1n]),
    ],
  });
});

it('the reason of capacity alone is not one of the cash value in its currency, nor the other way round', () => {
  const row = { table: 'value_entries', currency: 'EUR' } as const;
  const cash = { ...row, reason: 'not_converted', entries: 2, amount_cents: 900 } as const;
  const capacity = {
    ...row,
    reason: 'no_period',
    entries: 1,
    amount_cents: 0,
    capacity_entries: 1,
    capacity_amount_cents: 300,
  } as const;
  const both = { ...capacity, reason: 'locked_without_rate', entries: 2, amount_cents: 50 } as const;
  const told = (is_capacity: boolean): string =>
    dollarStanding([cash, capacity, both], { ...row, is_capacity });
  expect(told(false)).toBe('not converted yet or locked without a rate');
  expect(told(true)).toBe('never converted or locked without a rate');
});
