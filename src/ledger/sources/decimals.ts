/** Amounts as people write them, in cents. */

import { DECIMAL_SIGNS, type DecimalSign } from '../load/mode.ts';

/** The form of an amount for each sign before decimals; the other sign may separate groups of three digits. */
const FORMS: Readonly<Record<DecimalSign, RegExp>> = {
  comma: /^(-?)(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d+))?$/,
  point: /^(-?)(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?$/,
};
const PLACES = 2;

/** The cents of an amount; for a text that is no amount, what was expected. */
export type Cents = { readonly cents: string } | { readonly expected: string };

/** Reads an amount exactly: `1234.5` and `1.234,50` are 123450 cents. `1.234` may be 1234 or 1.234, so it needs `sign`. */
export function centsOf(text: string, sign: DecimalSign | null): Cents {
  const signs = sign === null ? DECIMAL_SIGNS : [sign];
  const readings = new Set(signs.map((each) => readAs(text, each)).filter((read) => read !== null));
  const [reading] = readings;
  if (readings.size > 1) {
    return {
      expected: 'an amount that is only one number; --decimal point or --decimal comma says which it is',
    };
  }
  if (reading === undefined || fractionOf(reading).length > PLACES) {
    const example = sign === 'comma' ? '1234,50' : '1234.50';
    return { expected: `an amount with at most two decimals, such as ${example}` };
  }
  const [whole = ''] = reading.split('.');
  return { cents: String(BigInt(whole + fractionOf(reading).padEnd(PLACES, '0'))) };
}

/** The amount with a point before its decimals and no groups; null if the text does not have the form of `sign`. */
function readAs(text: string, sign: DecimalSign): string | null {
  const [, minus = '', whole, fraction = ''] = FORMS[sign].exec(text) ?? [];
  return whole === undefined ? null : `${minus}${whole.replaceAll(/[.,]/g, '')}.${fraction}`;
}

function fractionOf(reading: string): string {
  return reading.split('.')[1] ?? '';
}

/** A decimal number that has a comma, rewritten with a point; any other text unchanged. */
export function withPoint(text: string): string {
  return readAs(text, 'comma')?.replace(/\.$/, '') ?? text;
}
