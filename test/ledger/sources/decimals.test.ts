import { expect, it } from 'vitest';
import type { DecimalSign } from '../../../src/ledger/staging/mode.ts';
import { type Cents, centsOf, centsOfNumber, decimalOf } from '../../../src/ledger/sources/decimals.ts';

const cents = (text: string): Cents => ({ cents: text });
const TWO = /^an amount with at most two decimals/;
const EITHER = /--decimal point or --decimal comma says which/;

it.each<readonly [text: string, sign: DecimalSign | null, expected: Cents]>([
  ['1234', null, cents('123400')],
  ['-0.5', null, cents('-50')],
  ['12,50', null, cents('1250')],
  ['1,234.50', null, cents('123450')],
  ['1.234,5', null, cents('123450')],
  ['1.234.567', null, cents('123456700')],
  ['1.234', 'comma', cents('123400')],
  ['1,234', 'point', cents('123400')],
  ['-12,34', 'comma', cents('-1234')],
  ['90071992547409.91', 'point', cents('9007199254740991')],
  ['0', null, cents('0')],
  ['-0.00', null, cents('0')],
])('the amount %s with the sign %s is exactly %o', (text, sign, expected) => {
  expect(centsOf(text, sign)).toEqual(expected);
});

it.each<readonly [text: string, sign: DecimalSign | null, expected: RegExp]>([
  ['1,234', null, EITHER],
  ['1.234', null, EITHER],
  ['12.345', 'point', TWO],
  ['12.50', 'comma', TWO],
  ['12,50', 'point', TWO],
  ['1,23,456', null, TWO],
  ['1 234.50', null, TWO],
  ['$12', null, TWO],
  ['1e3', null, TWO],
  ['', null, TWO],
  ['.5', null, TWO],
  ['0.125', null, TWO],
  ['0,125', null, TWO],
  ['0.125', 'comma', TWO],
  ['-0.005', 'comma', TWO],
  ['000.125', 'comma', TWO],
  ['0,125', 'point', TWO],
])('the amount %j with the sign %s is refused', (text, sign, expected) => {
  expect(centsOf(text, sign)).toEqual({ expected: expect.stringMatching(expected) });
});

it.each<readonly [text: string, sign: DecimalSign | null, number: string]>([
  ['0.125', null, '0.125'],
  ['0,125', null, '0.125'],
  ['-0,005', null, '-0.005'],
  ['000.125', null, '000.125'],
  ['0.125', 'point', '0.125'],
  ['0,125', 'comma', '0.125'],
  ['1,5', null, '1.5'],
  ['1.234', 'comma', '1234'],
  ['1.234', 'point', '1.234'],
  ['1234,567', 'comma', '1234.567'],
  ['1.234,25', null, '1234.25'],
  ['1,234.567', null, '1234.567'],
  ['1.234.567', null, '1234567'],
  ['12.3456', null, '12.3456'],
  ['7', 'comma', '7'],
])('the number %s with the sign %s is %s', (text, sign, number) => {
  expect(decimalOf(text, sign)).toEqual({ number });
});

it.each<readonly [text: string, sign: DecimalSign | null, expected: RegExp]>([
  ['1.234', null, EITHER],
  ['1,234', null, EITHER],
  ['-12.345', null, EITHER],
  ['1234.567', null, EITHER],
  ['01.234', null, EITHER],
  ['0.125', 'comma', /^a decimal number/],
  ['0,125', 'point', /^a decimal number/],
  ['01.234', 'comma', /^a decimal number/],
  ['1.5', 'comma', /^a decimal number/],
  ['1.23.456', null, /^a decimal number/],
  ['n/a', null, /^a decimal number/],
  ['1,234,56', null, /^a decimal number/],
])('the number %j with the sign %s is refused', (text, sign, expected) => {
  expect(decimalOf(text, sign)).toEqual({ expected: expect.stringMatching(expected) });
});

it.each([
  ['12.5000', '1250'],
  ['1e3', '100000'],
  ['-1.5E-1', '-15'],
  ['90071992547409.91', '9007199254740991'],
  ['-0', '0'],
])('the amount %s of a file that has it as a number is %s cents', (text, expected) => {
  expect(centsOfNumber(text)).toEqual(cents(expected));
});

it.each(['1.005', '1e-3', 'NaN', 'Infinity'])('the number %s is no amount', (text) => {
  expect(centsOfNumber(text)).toEqual({ expected: expect.stringMatching(TWO) });
});
