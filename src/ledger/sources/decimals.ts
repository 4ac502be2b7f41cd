/** Numbers as people write them. A text is a number only if it can mean one. */

import { DECIMAL_SIGNS, type DecimalSign } from '../staging/mode.ts';
import { shownCents } from '../../format.ts';
import { numberInstead } from './plain-forms.ts';

/** The form of a number for each sign before decimals; the other sign may separate groups of three digits. */
const FORMS: Readonly<Record<DecimalSign, RegExp>> = {
  comma: /^(-?)([1-9]\d{0,2}(?:\.\d{3})+|\d+)(?:,(\d+))?$/,
  point: /^(-?)([1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.(\d+))?$/,
};
/** One separator with three digits after it: a thousand or three decimals. After zeros alone, it is three decimals. */
const LONE = /^-?(?!0+[.,])\d+[.,]\d{3}$/;
/** A number as JSON and JavaScript write it. */
const TYPED = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;
const PLACES = 2;

/** A number with a point and no groups; or, for a text that is none, what was expected. */
export type Decimal = { readonly number: string } | { readonly expected: string };

/** The cents of an amount; for a text that is no amount, what was expected. */
export type Cents = { readonly cents: string } | { readonly expected: string };

/** Reads a number exactly: `1.234,50` is 1234.50. `1.234` may be 1234 or 1.234, so it needs `sign`. */
export function decimalOf(text: string, sign: DecimalSign | null): Decimal {
  if (meansTwo(text, sign)) return { expected: oneOnly('a number') };
  const reading = readingOf(text, sign);
  if (reading !== null) return { number: reading };
  const out = numberInstead(text, sign, (bare) => (meansTwo(bare, sign) ? null : readingOf(bare, sign)));
  return { expected: `a decimal number, such as ${sign === 'comma' ? '1234,5' : '1234.5'}${out}` };
}

/** Reads an amount exactly: `1234.5` and `1.234,50` are 123450 cents. `1.234` may be 1234 or 1.234, so it needs `sign`. */
export function centsOf(text: string, sign: DecimalSign | null): Cents {
  if (meansTwo(text, sign)) return { expected: oneOnly('an amount') };
  const reading = readingOf(text, sign);
  const [integer = '', fraction = ''] = reading?.split('.') ?? [];
  if (reading === null || fraction.length > PLACES) {
    const example = sign === 'comma' ? '1234,50' : '1234.50';
    return noAmount(`${example}${numberInstead(text, sign, (bare) => plainAmount(bare, sign))}`);
  }
  return { cents: String(BigInt(integer + fraction.padEnd(PLACES, '0'))) };
}

/** The cents of a number that its file has as a number: `--decimal` does not concern it. */
export function centsOfNumber(text: string): Cents {
  const [, minus, integer = '', fraction = '', exponent = '0'] = TYPED.exec(text) ?? [];
  if (minus === undefined) return noAmount('1234.50');
  const shift = Number(exponent) - fraction.length + PLACES;
  const digits = BigInt(integer + fraction);
  const unit = 10n ** BigInt(Math.abs(shift));
  if (shift < 0 && digits % unit !== 0n) return noAmount('1234.50');
  const cents = shift < 0 ? digits / unit : digits * unit;
  return { cents: String(minus === '' ? cents : -cents) };
}

/** A number that its file has as a number, without an exponent: `5e-7` is 0.0000005. Any other text stays. */
export function plainNumber(text: string): string {
  const [, minus, integer = '', fraction = '', exponent] = TYPED.exec(text) ?? [];
  if (minus === undefined || exponent === undefined) return text;
  const places = fraction.length - Number(exponent);
  if (places <= 0) return `${minus}${integer}${fraction}${'0'.repeat(-places)}`;
  const digits = `${integer}${fraction}`.padStart(places + 1, '0');
  return `${minus}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

function plainAmount(text: string, sign: DecimalSign | null): string | null {
  const read = centsOf(text, sign);
  return 'cents' in read ? shownCents(BigInt(read.cents)) : null;
}

function meansTwo(text: string, sign: DecimalSign | null): boolean {
  return sign === null && LONE.test(text);
}

function oneOnly(what: string): string {
  return `${what} that is only one number; --decimal point or --decimal comma says which it is`;
}

function noAmount(example: string): Cents {
  return { expected: `an amount with at most two decimals, such as ${example}` };
}

/** The number with a point before its decimals and no groups; null if the text has no such form. */
function readingOf(text: string, sign: DecimalSign | null): string | null {
  const [reading = null] = (sign === null ? DECIMAL_SIGNS : [sign]).flatMap(
    (each) => readAs(text, each) ?? [],
  );
  return reading;
}

function readAs(text: string, sign: DecimalSign): string | null {
  const [, minus = '', integer, fraction] = FORMS[sign].exec(text) ?? [];
  if (integer === undefined) return null;
  return `${minus}${integer.replaceAll(/[.,]/g, '')}${fraction === undefined ? '' : `.${fraction}`}`;
}
