/**
 * Left-out amounts: they have no dollar figure, so no total includes them. The JSON of manifest, webhook and build record
 * holds them in this form.
 */
import type { LeftOutReason } from './left-out-reasons.ts';
import type { LeftOut, Unsettled, ValueLeftOut } from './unsettled.ts';

/** Costs of one currency, or entries of cash value. */
interface LeftOutAmount {
  readonly currency: string;
  readonly amount_cents: number;
  readonly entries: number;
}

/** Approved value of one currency: cash value, and capacity apart from it. */
interface LeftOutValue extends LeftOutAmount {
  readonly capacity_amount_cents: number;
  readonly capacity_entries: number;
}

/** The tables of bills and charges for AI. */
export const BILL_TABLES = ['provider_bills', 'vendor_bills', 'card_charges'] as const;

/**
 * Bills of one table and currency that no dollar total of AI spend includes: without dollars, or card charges in another
 * currency. Models have the use of a provider's bill in its own currency.
 */
export interface LeftOutBills extends LeftOutAmount {
  readonly table: (typeof BILL_TABLES)[number];
}

/** One row per currency, ordered by code. The lists are empty if every amount has a dollar figure. */
export interface LeftOutAmounts {
  readonly cost: LeftOutAmount[];
  readonly value: LeftOutValue[];
  /** By table and currency; absent if none is left out, and in the record of an older program. */
  readonly bills?: LeftOutBills[] | undefined;
  /**
   * Why, by table, reason and currency; empty if only card charges are left out, because no rate helps them. Absent if nothing is
   * left out, and in the record of an older program.
   */
  readonly reasons?: LeftOutReason[] | undefined;
}

/** The amounts that no total includes, for JSON; throws if a sum is too large for an exact JSON number. */
export function leftOutAmounts({
  cost_left_out,
  value_left_out,
}: Pick<Unsettled, 'cost_left_out' | 'value_left_out'>): LeftOutAmounts {
  return { cost: cost_left_out.map(exactAmount), value: value_left_out.map(value) };
}

/** True if any cost, value or bill is left out. */
export function leavesOut({ cost, value: ofValue, bills = [] }: LeftOutAmounts): boolean {
  return cost.length + ofValue.length + bills.length > 0;
}

/** For JSON; throws if the sum is too large for an exact JSON number. */
export function exactAmount({ currency, amount_cents, entries }: LeftOut): LeftOutAmount {
  return { currency, amount_cents: exact(amount_cents), entries: exact(entries) };
}

function value(left: ValueLeftOut): LeftOutValue {
  return {
    ...exactAmount(left),
    capacity_amount_cents: exact(left.capacity_amount_cents),
    capacity_entries: exact(left.capacity_entries),
  };
}

function exact(sum: bigint): number {
  const number = Number(sum);
  if (!Number.isSafeInteger(number)) {
    throw new RangeError('a sum of amounts without dollars is too large for an exact JSON number');
  }
  return number;
}
