/**
 * Money: whole cents, of three kinds that are never mixed. `add` refuses two amounts of different kinds. The result of `+`
 * is a plain bigint, which the compiler accepts in no field of a kind. So the compiler refuses cash plus freed capacity.
 */

declare const kind: unique symbol;

/** Cash value: earned margin, reduced costs, avoided spend, and freed capacity that was realised as cash. */
export type CashCents = bigint & { readonly [kind]: 'cash' };

/** Freed hours and output, priced at their cost. It is not cash: it is never added to cash or compared with cost. */
export type CapacityCents = bigint & { readonly [kind]: 'capacity' };

/** Any other amount: a cost, a net value, a price effect. */
export type Cents = bigint & { readonly [kind]: 'cents' };

type AnyCents = CashCents | CapacityCents | Cents;

// The casts below give an amount its kind. A branded type is a bigint at run time.

/** Marks an amount as cash value. */
export const cash = (amount: bigint): CashCents => amount as CashCents;

/** Marks an amount as freed capacity. */
export const capacity = (amount: bigint): CapacityCents => amount as CapacityCents;

/** Marks an amount as neither cash value nor freed capacity. */
export const cents = (amount: bigint): Cents => amount as Cents;

/** The sum of two amounts of one kind. */
export function add<T extends AnyCents>(a: T, b: NoInfer<T>): T {
  return (a + b) as T; // the sum of two amounts of a kind is of that kind
}

/** The sum of two amounts that may be null; null only if both are. */
export function addKnown<T extends AnyCents>(a: T | null, b: NoInfer<T> | null): T | null {
  if (a === null) return b;
  return b === null ? a : add(a, b);
}

/** Net value: cash value minus cost, without freed capacity. */
export function netOf(value: CashCents, cost: Cents): Cents {
  return cents(value - cost);
}

/** The only rounding rule: numerator ÷ denominator to a whole number; halves round away from zero. */
export function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const remainder = numerator % denominator;
  if (2n * magnitude(remainder) < magnitude(denominator)) return quotient;
  return numerator < 0n === denominator < 0n ? quotient + 1n : quotient - 1n;
}

/** An amount times an exact decimal rate such as `1.0834567891`, rounded once. */
export function convert(amount: bigint, rate: string): bigint {
  const [integer = '', fraction = ''] = rate.split('.');
  return divideRounded(amount * BigInt(integer + fraction), 10n ** BigInt(fraction.length));
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
