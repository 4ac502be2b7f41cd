/** Exact decimals of a bill, as whole numbers of 10^-30 of its currency: a sum of a million charges loses nothing. */

/** The number of decimals of the unit. */
const PLACES = 30;
const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;

/** The number of units in a cent. */
export const UNITS_PER_CENT = 10n ** BigInt(PLACES - 2);

/** The number of units; null for a text that is no decimal, or one of more than 30 decimals. */
export function unitsOf(text: string): bigint | null {
  const [, sign, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? [];
  if (sign === undefined || whole + fraction === '') return null;
  const shift = PLACES - fraction.length + Number(exponent);
  const digits = BigInt(whole + fraction);
  if (shift < 0 && digits % 10n ** BigInt(-shift) !== 0n) return null;
  const units = shift < 0 ? digits / 10n ** BigInt(-shift) : digits * 10n ** BigInt(shift);
  return sign === '-' ? -units : units;
}

/** A number of units as text in the currency, with at least two decimals and no further zeros at the end. */
export function shownUnits(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(PLACES + 1, '0');
  const fraction = digits.slice(-PLACES).replace(/0+$/, '').padEnd(2, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -PLACES)}.${fraction}`;
}
