import { expect, it } from 'vitest';
import { centsOf, decimalOf } from '../../../src/ledger/sources/decimals.ts';
import { daysMeant } from '../../../src/ledger/sources/other-days.ts';
import { cellInstead } from '../../../src/ledger/sources/plain-forms.ts';

/** What the fault of a cell ends with. */
const endOf = (read: object): string =>
  'expected' in read ? String(read.expected).replace(/^[^;]*/, '') : 'read';

it.each<readonly [text: string, days: readonly string[]]>([
  ['31.03.2026', ['2026-03-31']],
  ['1.3.2026', ['2026-03-01']],
  ['03.31.2026', []],
  ['02/01/2026', ['2026-01-02', '2026-02-01']],
  ['03/31/2026', ['2026-03-31']],
  ['31/03/2026', ['2026-03-31']],
  ['05-05-2026', ['2026-05-05']],
  ['31/02/2026', []],
  ['2026/3/1', ['2026-03-01']],
  ['20260331', ['2026-03-31']],
  ['2026331', []],
  ['2026-02-30', []],
  ['29.02.2024', ['2024-02-29']],
  ['29.02.2026', []],
  ['2026-03-31 00:00:00', ['2026-03-31']],
  ['3/31/2026 12:05 PM', ['2026-03-31']],
  ['2026-03-31T23:00:00-05:00', []],
  ['31-Mar-2026', ['2026-03-31']],
  ['31. März 2026', ['2026-03-31']],
  ['Mar 31, 2026', ['2026-03-31']],
  ['Mar 2026', ['2026-03']],
  ['März 2026', ['2026-03']],
  ['Mrz. 2026', ['2026-03']],
  ['Sept 2026', ['2026-09']],
  ['août 2026', ['2026-08']],
  ['03/2026', ['2026-03']],
  ['2026/3', ['2026-03']],
  ['13/2026', []],
  ['Marketing 2026', []],
  ['ma 2026', []],
  ['jui 2026', []],
  ['Mar-26', []],
  ['46082', []],
  ['soon', []],
])('the day %j is meant as %j', (text, days) => {
  expect(daysMeant('period_start', text)).toEqual(days);
});

it('the refusal shows a month only for a column that takes a month', () => {
  expect(daysMeant('period_end', 'Mar 2026')).toEqual(['2026-03']);
  expect(daysMeant('charged_on', 'Mar 2026')).toEqual([]);
  expect(daysMeant('charged_on', '31.03.2026')).toEqual(['2026-03-31']);
});

it.each([
  ['$1,234.50', '; write 1234.50'],
  ['US$ 1,234.50', '; write 1234.50'],
  ['-$12', '; write -12.00'],
  ['$-12', '; write -12.00'],
  ['1.234,50 €', '; write 1234.50'],
  ['EUR 5', '; write 5.00'],
  ['5 CHF', '; write 5.00'],
  ['(1,530.03)', '; write -1530.03'],
  ['($79.47)', '; write -79.47'],
  ['250,00-', '; write -250.00'],
  ['\u2212250.00', '; write -250.00'],
  ['+5', '; write 5.00'],
  ['1 234,50', '; write 1234.50'],
  ["1'234.50", '; write 1234.50'],
  ['1\u202F234\u202F567,5', '; write 1234567.50'],
  ['$1,234', '; write 1,234, and say --decimal point or --decimal comma'],
  ['Total', '; delete a line of totals'],
  ['Summe:', '; delete a line of totals'],
  // What could mean another amount is refused without a proposal.
  ['(-5.00)', ''],
  ['12 34', ''],
  ['5 %', ''],
  ['$', ''],
  ['1.5h', ''],
  ['$12.345', '; write 12.345, and say --decimal point or --decimal comma'],
  ['Subtotal of March', ''],
  ['1,23,456', ''],
])('the amount %j is refused, and its fault ends with %j', (text, end) => {
  expect(endOf(centsOf(text, null))).toBe(end);
});

it('the sign that --decimal names stays in what to write', () => {
  expect(endOf(centsOf('1.234,50 €', 'comma'))).toBe('; write 1234,50');
  expect(endOf(centsOf('1.234,50 €', 'point'))).toBe('');
  expect(endOf(centsOf('$1,234', 'point'))).toBe('; write 1234.00');
  expect(endOf(decimalOf('1,23,456', null))).toBe('');
});

it('a text of a million letters is no amount', () => {
  expect(endOf(centsOf('1 '.repeat(500_000), null))).toBe('');
});

it('the text that the fault says to write is read as that amount', () => {
  for (const [text, cents] of [
    ['$1,234.50', '123450'],
    ['(79.47)', '-7947'],
    ['250,00-', '-25000'],
  ] as const) {
    const [, plain = ''] = endOf(centsOf(text, null)).split('; write ');
    expect([text, centsOf(plain, null)]).toEqual([text, { cents }]);
  }
});

it('the faults of other cells say what would be taken', () => {
  expect(cellInstead({ name: 'is_estimated', base: 'boolean' }, 'Ja')).toBe('; write true');
  expect(cellInstead({ name: 'is_estimated', base: 'boolean' }, 'maybe')).toBe('');
  expect(cellInstead({ name: 'period_start', base: 'date' }, 'TOTAL')).toBe('; delete a line of totals');
  expect(cellInstead({ name: 'amount_cents', base: 'bigint' }, '12.50')).toBe(
    '; name the column amount to give it with decimals',
  );
  expect(cellInstead({ name: 'amount_cents', base: 'bigint' }, '99999999999999999999')).toBe('');
});
