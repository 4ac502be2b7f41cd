/** Exact decimals of a bill, as whole numbers of 10^-30 of its currency: a sum of a million charges loses nothing. */

import { divideRounded } from '../../figures/cents.ts';

/** The number of decimals of the unit. */
const PLACES = 30;
const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;

/** The powers of ten that amounts of a bill need, by their exponent. */
const POWERS = Array.from({ length: 2 * PLACES }, (_, exponent) => 10n ** BigInt(exponent));

/** The number of units in one of the currency. */
export const UNITS_OF_ONE = powerOf(PLACES);

/** The number of units in a cent. */
export const UNITS_PER_CENT = powerOf(PLACES - 2);

/** The largest amount of the ledger, in cents a whole number that every program has exactly. */
export const MAX_UNITS = BigInt(Number.MAX_SAFE_INTEGER) * UNITS_PER_CENT;

/** Below it, further decimals are what is left of a calculation in floats: a ten-thousandth of a cent. */
const RESIDUE = UNITS_PER_CENT / 10_000n;

/** An exact number of units; `isRounded` if decimals after the thirtieth were left out. */
interface Units {
  readonly units: bigint;
  readonly isRounded: boolean;
}

/**
 * The number of units; null for a text that is no decimal, or one of more than 30 decimals. Only an amount below a
 * ten-thousandth of a cent may have more: it is rounded.
 */
export function unitsOf(text: string): Units | null {
  const [, sign, integer = '', fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? [];
  if (sign === undefined || integer + fraction === '') return null;
  const shift = PLACES - fraction.length + Number(exponent);
  const digits = BigInt(integer + fraction);
  const unit = powerOf(Math.abs(shift));
  const isRounded = shift < 0 && digits % unit !== 0n;
  const units = shift < 0 ? divideRounded(digits, unit) : digits * unit;
  if (isRounded && digits >= RESIDUE * unit) return null;
  return { units: sign === '-' ? -units : units, isRounded };
}

function powerOf(exponent: number): bigint {
  return POWERS[exponent] ?? 10n ** BigInt(exponent);
}

/** A number of units as text in the currency, with at least two decimals and no further zeros at the end. */
export function shownUnits(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(PLACES + 1, '0');
  const fraction = digits.slice(-PLACES).replace(/0+$/, '').padEnd(2, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -PLACES)}.${fraction}`;
}
