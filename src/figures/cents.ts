/**
 * Money: whole cents, of three kinds that are never mixed. Two amounts of unlike kinds have no `add`, and a bare
 * bigint (which is what `+` would give) fits no field of a sum, so the compiler refuses cash plus freed capacity.
 */

declare const kind: unique symbol;

/** Cash value: margin earned, costs that fell, spend avoided, and freed capacity shown to have become cash. */
export type CashCents = bigint & { readonly [kind]: 'cash' };

/** Hours and output freed, priced at what they cost. Not cash: never added to it, never set against cost. */
export type CapacityCents = bigint & { readonly [kind]: 'capacity' };

/** Any other amount: a cost, a net value, a price effect. */
export type Cents = bigint & { readonly [kind]: 'cents' };

type AnyCents = CashCents | CapacityCents | Cents;

// The casts below are the border where an amount is told its kind: a brand is a bigint that says what it counts.

/** Says that an amount is cash value. */
export const cash = (amount: bigint): CashCents => amount as CashCents;

/** Says that an amount is freed capacity. */
export const capacity = (amount: bigint): CapacityCents => amount as CapacityCents;

/** Says that an amount is neither cash value nor freed capacity. */
export const cents = (amount: bigint): Cents => amount as Cents;

/** The sum of two amounts of one kind. */
export function add<T extends AnyCents>(a: T, b: NoInfer<T>): T {
  return (a + b) as T; // the sum of two amounts of a kind is of that kind
}

/** The sum of two amounts that may be missing: null only when both are. */
export function addKnown<T extends AnyCents>(a: T | null, b: NoInfer<T> | null): T | null {
  if (a === null) return b;
  return b === null ? a : add(a, b);
}

/** Net value: cash value less cost. Freed capacity has no part in it. */
export function netOf(value: CashCents, cost: Cents): Cents {
  return cents(value - cost);
}

/** The one rounding rule: numerator ÷ denominator to a whole number, halves away from zero. */
export function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const remainder = numerator % denominator;
  if (2n * magnitude(remainder) < magnitude(denominator)) return quotient;
  return numerator < 0n === denominator < 0n ? quotient + 1n : quotient - 1n;
}

/** An amount times an exact decimal rate such as `1.0834567891`, rounded once. */
export function convert(amount: bigint, rate: string): bigint {
  const [whole = '', fraction = ''] = rate.split('.');
  return divideRounded(amount * BigInt(whole + fraction), 10n ** BigInt(fraction.length));
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
