import { expect, it } from 'vitest';
import type { DecimalSign } from '../../../src/ledger/load/mode.ts';
import { type Cents, centsOf, withPoint } from '../../../src/ledger/sources/decimals.ts';

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
])('the amount %j with the sign %s is refused', (text, sign, expected) => {
  expect(centsOf(text, sign)).toEqual({ expected: expect.stringMatching(expected) });
});

it('a decimal comma becomes a point, and other texts stay', () => {
  expect(['1,5', '1.234,25', '7', 'n/a', '-0,1'].map(withPoint)).toEqual([
    '1.5',
    '1234.25',
    '7',
    'n/a',
    '-0.1',
  ]);
});
