/** What the company of the fixtures leaves out of its totals, worked by hand. */
import type { LeftOutReason } from '../../src/figures/left-out-reasons.ts';

/** fixtures/TOTALS.md, "Left out", whose rows were worked by hand: an entry for each row it names. */
export const LEFT_OUT = {
  cost: [
    { currency: 'CHF', amount_cents: 25_000, entries: 1 }, // C3046
    { currency: 'EUR', amount_cents: 60_000, entries: 1 }, // C3022
    { currency: 'KES', amount_cents: 700_000, entries: 1 }, // C3045
  ],
  value: [
    // V2044
    { currency: 'BGN', amount_cents: 100_000, entries: 1, capacity_amount_cents: 0, capacity_entries: 0 },
    // V2023, V2024 and V2028; V2026
    {
      currency: 'EUR',
      amount_cents: 540_000,
      entries: 3,
      capacity_amount_cents: 80_000,
      capacity_entries: 1,
    },
    // V2045; V2048
    {
      currency: 'KES',
      amount_cents: 500_000,
      entries: 1,
      capacity_amount_cents: 60_000,
      capacity_entries: 1,
    },
  ],
  // fixtures/AI_SPEND.md, "In no row": K843 and P808.
  bills: [
    { table: 'card_charges' as const, currency: 'EUR', amount_cents: 3_000, entries: 1 },
    { table: 'provider_bills' as const, currency: 'KES', amount_cents: 100_000, entries: 1 },
  ],
  // Why, by the rows and rates of the fixtures: C3046; C3022; C3045; V2024; V2028; V2045 and V2048; V2044; V2023 and V2026; P808.
  reasons: [
    { table: 'cost_entries', reason: 'before_first_rate', currency: 'CHF', entries: 1, amount_cents: 25_000 },
    {
      table: 'cost_entries',
      reason: 'locked_without_rate',
      currency: 'EUR',
      entries: 1,
      amount_cents: 60_000,
    },
    {
      table: 'cost_entries',
      reason: 'no_published_rates',
      currency: 'KES',
      entries: 1,
      amount_cents: 700_000,
    },
    {
      table: 'value_entries',
      reason: 'locked_without_rate',
      currency: 'EUR',
      entries: 1,
      amount_cents: 200_000,
    },
    { table: 'value_entries', reason: 'no_period', currency: 'EUR', entries: 1, amount_cents: 30_000 },
    {
      table: 'value_entries',
      reason: 'no_published_rates',
      currency: 'KES',
      entries: 2,
      amount_cents: 500_000,
      capacity_entries: 1,
      capacity_amount_cents: 60_000,
    },
    {
      table: 'value_entries',
      reason: 'waiting',
      currency: 'BGN',
      entries: 1,
      amount_cents: 100_000,
      rates_ended: true,
    },
    {
      table: 'value_entries',
      reason: 'waiting',
      currency: 'EUR',
      entries: 2,
      amount_cents: 310_000,
      capacity_entries: 1,
      capacity_amount_cents: 80_000,
    },
    {
      table: 'provider_bills',
      reason: 'no_published_rates',
      currency: 'KES',
      entries: 1,
      amount_cents: 100_000,
    },
  ] satisfies LeftOutReason[],
};
