/** Adds up the sums of initiatives and months to figures, for `/roi` and `reported_totals`. */
import { laterOf } from './calendar.ts';
import type { Day } from './calendar.ts';
import { add, addKnown, capacity, cash, cents, netOf } from './cents.ts';
import type { CapacityCents, CashCents, Cents } from './cents.ts';

/**
 * One group: the sums, in dollars, of the entries of one initiative that start in one month. A group exists if there is an
 * approved value entry or a cost, also if no entry has a dollar figure.
 */
export interface EntrySums {
  readonly initiative_id: bigint;
  /** First day of the month; null for the group of entries without a date. */
  readonly month: Day | null;
  /** The latest day on which an entry of the group begins. */
  readonly latest_day: Day | null;
  readonly cash_value_cents: bigint;
  readonly capacity_cents: bigint;
  /** Included in `cash_value_cents`. */
  readonly capacity_realized_cents: bigint;
  readonly capex_cents: bigint;
  readonly opex_cents: bigint;
  /** Null if no entry of the group splits its value into vendor price and own changes. */
  readonly vendor_price_effect_cents: bigint | null;
}

/** The figures of a set of groups, in dollars. */
export interface Figures {
  readonly cash_value_cents: CashCents;
  readonly freed_capacity_cents: CapacityCents;
  readonly realized_capacity_cents: CapacityCents;
  readonly cost_cents: Cents;
  readonly capex_cents: Cents;
  readonly opex_cents: Cents;
  readonly net_value_cents: Cents;
  readonly vendor_price_effect_cents: Cents | null;
}

/** The figures of no entries at all. */
export const NO_FIGURES: Figures = {
  cash_value_cents: cash(0n),
  freed_capacity_cents: capacity(0n),
  realized_capacity_cents: capacity(0n),
  cost_cents: cents(0n),
  capex_cents: cents(0n),
  opex_cents: cents(0n),
  net_value_cents: cents(0n),
  vendor_price_effect_cents: null,
};

/** The sums of a group, without its initiative and month. */
export type Sums = Omit<EntrySums, 'initiative_id' | 'month'>;

/** The sums of no entries. */
export const NO_SUMS: Sums = {
  latest_day: null,
  cash_value_cents: 0n,
  capacity_cents: 0n,
  capacity_realized_cents: 0n,
  capex_cents: 0n,
  opex_cents: 0n,
  vendor_price_effect_cents: null,
};

/** Adds up any set of groups: of one or many initiatives, of whole months or parts of months. */
export interface Rollup {
  add(group: Sums): void;
  /** The figures of all groups added so far. */
  figures(): Figures;
  /** The latest day on which an entry of these groups begins; null if none has a date. */
  latestDay(): Day | null;
}

/** Starts without groups. Memory holds only the sums. */
export function openRollup(): Rollup {
  let figures = NO_FIGURES;
  let latestDay: Day | null = null;
  return {
    add(group) {
      figures = addFigures(figures, figuresOf(group));
      if (group.latest_day !== null) latestDay = laterOf(group.latest_day, latestDay);
    },
    figures: () => figures,
    latestDay: () => latestDay,
  };
}

/** The figures of one group. */
export function figuresOf(group: Sums): Figures {
  const value = cash(group.cash_value_cents);
  const cost = cents(group.capex_cents + group.opex_cents);
  const freed = group.capacity_cents - group.capacity_realized_cents;
  return {
    cash_value_cents: value,
    // Floored at zero per initiative and month: capacity realised late may exceed what was freed in that month, and must
    // not reduce the capacity freed in another month or by another initiative.
    freed_capacity_cents: capacity(freed > 0n ? freed : 0n),
    realized_capacity_cents: capacity(group.capacity_realized_cents),
    cost_cents: cost,
    capex_cents: cents(group.capex_cents),
    opex_cents: cents(group.opex_cents),
    net_value_cents: netOf(value, cost),
    vendor_price_effect_cents:
      group.vendor_price_effect_cents === null ? null : cents(group.vendor_price_effect_cents),
  };
}

/**
 * One group with the figures of all groups of a roll-up. Freed capacity was floored at zero in each of those groups, and
 * flooring their sum again in `figuresOf` does not change it.
 */
export function groupOf(rollup: Rollup): Sums {
  const figures = rollup.figures();
  return {
    latest_day: rollup.latestDay(),
    cash_value_cents: figures.cash_value_cents,
    capacity_cents: figures.freed_capacity_cents + figures.realized_capacity_cents,
    capacity_realized_cents: figures.realized_capacity_cents,
    capex_cents: figures.capex_cents,
    opex_cents: figures.opex_cents,
    vendor_price_effect_cents: figures.vendor_price_effect_cents,
  };
}

/** The figures of two sets of groups together. */
export function addFigures(a: Figures, b: Figures): Figures {
  return {
    cash_value_cents: add(a.cash_value_cents, b.cash_value_cents),
    freed_capacity_cents: add(a.freed_capacity_cents, b.freed_capacity_cents),
    realized_capacity_cents: add(a.realized_capacity_cents, b.realized_capacity_cents),
    cost_cents: add(a.cost_cents, b.cost_cents),
    capex_cents: add(a.capex_cents, b.capex_cents),
    opex_cents: add(a.opex_cents, b.opex_cents),
    net_value_cents: add(a.net_value_cents, b.net_value_cents),
    vendor_price_effect_cents: addKnown(a.vendor_price_effect_cents, b.vendor_price_effect_cents),
  };
}
