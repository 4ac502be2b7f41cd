import { expect, it } from 'vitest';
import { settleBeside } from '../../src/figures/unsettled.ts';

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
