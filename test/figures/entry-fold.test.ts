/** The sums of a snapshot's entries, one by one: freed capacity by initiative and month, and amounts without dollars. */
import { expect, it } from 'vitest';
import { type EntryFold, openEntryFold } from '../../src/figures/entry-fold.ts';
import { figuresOf, openRollup } from '../../src/figures/rollup.ts';

const dollars = (day: string | null, cents: bigint) => ({
  day,
  currency: 'USD',
  amount_cents: cents,
  usd_amount_cents: cents,
});

const foreign = (currency: string, amount_cents: bigint, usd_amount_cents: bigint | null) => ({
  day: '2026-05-03',
  currency,
  amount_cents,
  usd_amount_cents,
});

function freedCapacityOf(fold: EntryFold): bigint {
  const rollup = openRollup();
  for (const sums of fold.sums()) rollup.add(sums);
  return rollup.figures().freed_capacity_cents;
}

it('realised capacity reduces what its initiative freed on another day of the month, and nothing else', () => {
  const fold = openEntryFold();
  fold.addValue(dollars('2026-05-03', 900n), 'capacity', 1n);
  fold.addValue(dollars('2026-05-31', 400n), 'capacity_realized', 1n);
  expect(freedCapacityOf(fold)).toBe(500n); // 900 - 400
  // More than its own month freed: June counts 0, and May still 500.
  fold.addValue(dollars('2026-06-01', 100n), 'capacity', 1n);
  fold.addValue(dollars('2026-06-02', 300n), 'capacity_realized', 1n);
  expect(freedCapacityOf(fold)).toBe(500n);
  // Another initiative in the same month, and one entry without a day.
  fold.addValue(dollars('2026-05-03', 300n), 'capacity_realized', 2n);
  fold.addValue(dollars(null, 50n), 'capacity', 1n);
  expect(freedCapacityOf(fold)).toBe(550n);
});

it('the latest day and the cash value are those of all entries, also of realised capacity', () => {
  const fold = openEntryFold();
  fold.addValue(dollars('2026-06-02', 300n), 'capacity_realized', 1n);
  fold.addValue(dollars('2026-05-03', 20n), 'cost_savings', 1n);
  fold.addCost(dollars('2026-06-30', 7n), true, false);
  fold.addCost(dollars(null, 5n), false, false);
  const [first] = fold.sums();
  if (first === undefined) throw new Error('the sums of all entries come first');
  expect(first.latest_day).toBe('2026-06-30');
  expect(figuresOf(first)).toMatchObject({
    cash_value_cents: 320n,
    capex_cents: 7n,
    opex_cents: 5n,
    cost_cents: 12n,
    net_value_cents: 308n,
  });
});

it('amounts without dollars are kept by kind and currency, and provisional dollars apart', () => {
  const fold = openEntryFold();
  fold.addCost(foreign('EUR', 10n, null), false, false);
  fold.addCost(foreign('CHF', 3n, null), true, false);
  fold.addCost(foreign('EUR', 5n, null), false, false);
  fold.addCost(foreign('EUR', 100n, 110n), false, true);
  fold.addCost(foreign('EUR', 100n, 111n), false, false); // at a final rate
  fold.addValue(foreign('EUR', 8n, null), 'capacity', 1n);
  fold.addValue(foreign('EUR', 9n, null), 'capacity_realized', 1n);
  expect(fold.unsettled()).toEqual([
    { kind: 'capacity_left_out', currency: 'EUR', amount_cents: 8n, entries: 1n },
    { kind: 'cash_left_out', currency: 'EUR', amount_cents: 9n, entries: 1n },
    { kind: 'cost_left_out', currency: 'CHF', amount_cents: 3n, entries: 1n },
    { kind: 'cost_left_out', currency: 'EUR', amount_cents: 15n, entries: 2n },
    { kind: 'provisional_cost', currency: 'USD', amount_cents: 110n, entries: 1n },
  ]);
});
