/** The dollars of a charge of the FOCUS file, worked from its amount and its rate. */
import type { CsvLine } from '../rows/read-csv.ts';

/** The cost of a charge in cents of dollars: its amount times its rate, half a cent rounded away from zero. */
export function dollarsOf(charge: CsvLine): bigint {
  const [amount, rate] = [scaled(charge['BilledCost']), scaled(charge['x_UsdRate'])];
  const [product, unit] = [amount * rate * 200n, SCALE * SCALE];
  return (product + (product < 0n ? -unit : unit)) / (unit * 2n);
}

const DIGITS = 20;
const SCALE = 10n ** BigInt(DIGITS);

/** A decimal text times `SCALE`. */
function scaled(text: string | null | undefined): bigint {
  const [, sign = '', integer = '', part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text ?? '') ?? [];
  if (integer === '' || part.length > DIGITS) throw new Error(`${text} is no decimal`);
  return BigInt(`${sign}${integer}${part.padEnd(DIGITS, '0')}`);
}
