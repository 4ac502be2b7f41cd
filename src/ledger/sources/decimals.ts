/** Amounts as people write them, in cents. */

import { DECIMAL_SIGNS, type DecimalSign } from '../load/mode.ts';

/** An amount with groups of three digits, or without. */
const FORMS: Readonly<Record<DecimalSign, RegExp>> = {
  comma: /^(-?)(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d+))?$/,
  point: /^(-?)(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?$/,
};
const PLACES = 2;

/** The cents of an amount; of another text what is expected. */
export type Cents = { readonly cents: string } | { readonly expected: string };

/** Reads an amount exactly: `1234.5` and `1.234,50` are 123450 cents. `1.234` could be two amounts, so it needs the sign. */
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

/** The amount with a point and no groups; null if it has another form. */
function readAs(text: string, sign: DecimalSign): string | null {
  const [, minus = '', whole, fraction = ''] = FORMS[sign].exec(text) ?? [];
  return whole === undefined ? null : `${minus}${whole.replaceAll(/[.,]/g, '')}.${fraction}`;
}

function fractionOf(reading: string): string {
  return reading.split('.')[1] ?? '';
}

/** A decimal number with a point, where it was written with a comma; other texts as they are. */
export function withPoint(text: string): string {
  return readAs(text, 'comma')?.replace(/\.$/, '') ?? text;
}
