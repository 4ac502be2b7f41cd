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

/** One row per currency, ordered by code. The lists are empty if every amount has a dollar figure. */
export interface LeftOutAmounts {
  readonly cost: LeftOutAmount[];
  readonly value: LeftOutValue[];
  /** Why, by table, reason and currency; absent if nothing is left out, and in the record of an older program. */
  readonly reasons?: LeftOutReason[] | undefined;
}

/** The amounts that no total includes, for JSON; throws if a sum is too large for an exact JSON number. */
export function leftOutAmounts({
  cost_left_out,
  value_left_out,
}: Pick<Unsettled, 'cost_left_out' | 'value_left_out'>): LeftOutAmounts {
  return { cost: cost_left_out.map(amount), value: value_left_out.map(value) };
}

/** True if any amount has no dollar figure. */
export function leavesOut({ cost, value: ofValue }: LeftOutAmounts): boolean {
  return cost.length + ofValue.length > 0;
}

function amount({ currency, amount_cents, entries }: LeftOut): LeftOutAmount {
  return { currency, amount_cents: exact(amount_cents), entries: exact(entries) };
}

function value(left: ValueLeftOut): LeftOutValue {
  return {
    ...amount(left),
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
