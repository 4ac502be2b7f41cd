/** Cases of amounts, days and currencies of `load`, by the letters of the reports. */
import type { Case } from './case.ts';
import { COSTS, HEADER, costRow, csvOf, everyForm, textForms } from './every-form.ts';

const right = (id: string, ...says: readonly string[]) => ({ id, exit: 0, says }) as const;
const refused = (id: string, ...says: readonly string[]) => ({ id, exit: 1, says }) as const;

/** Forms of amounts that are none, or could be two (S5 to S9). */
const NO_AMOUNTS = [
  '($182.77)',
  '(182.77)',
  '12.50-',
  '\u221212.50',
  '$12.50',
  '12.50 €',
  '€12.50',
  '1\u00A0234.50',
  '1\u202F234.50',
  "1'234.50",
  '1 234.50',
  '1,23,456.00',
  '1.23E+05',
  '#REF!',
  'NULL',
  'NaN',
  '1,234',
  '1.234',
  '12.345',
  '.5',
  '5.',
  '+5.00',
  '5,00,00',
  'USD 5',
  '5%',
  '١٢',
  '1_000',
  '0x10',
  "'12.50",
  '12.50 USD',
  '=1+1',
  '1/2',
  '-',
  '--5',
  '5..0',
];
const NO_DAYS = [
  '01.03.2026',
  '03/01/2026',
  '1/3/26',
  '20260301',
  '46082',
  '1900-01-00',
  'Mar-26',
  'March 2026',
  '2026-3-1',
  '２０２６-03-01',
  '2026-02-30',
  '2026-13-01',
  '2026-03-01 00:00:00',
  '2026/03/01',
  '2026-Q1',
  'yesterday',
  '0000-01-01',
  '2026-13',
];
const NO_CURRENCIES = ['usd', 'EURO', '€', 'XXX', 'ZZZ', ' EUR', 'US$', 'BTC'];

export const CASES_OF_AMOUNTS: readonly Case[] = [
  ...everyForm(
    refused(
      'W7 zeros before a lone separator',
      ':2 amount "0.125"',
      ':3 amount "-0.005"',
      ':4 amount "000.125"',
      ':5 amount "0,125"',
    ),
    COSTS,
    [HEADER, ...['0.125', '-0.005', '000.125', '0,125'].map((amount, index) => costRow(`A${index}`, amount))],
  ).map((each) => ({ ...each, request: { decimal: 'comma' as const } })),
  ...everyForm(
    refused(
      'a05 forms of amounts',
      ...NO_AMOUNTS.map((amount, index) => `FILE:${index + 2} amount ${JSON.stringify(amount)}`),
    ),
    COSTS,
    [HEADER, ...NO_AMOUNTS.map((amount, index) => costRow(`A${index}`, amount))],
  ),
  ...everyForm(
    refused(
      'a10 forms of days',
      ...NO_DAYS.map((day, index) => `FILE:${index + 2} period_start ${JSON.stringify(day)}`),
    ),
    COSTS,
    [HEADER, ...NO_DAYS.map((day, index) => costRow(`A${index}`, '1.00', { day }))],
  ),
  ...everyForm(
    refused(
      'a14 no currencies',
      ...NO_CURRENCIES.map((text, index) => `FILE:${index + 2} currency ${JSON.stringify(text)}`),
    ),
    COSTS,
    [HEADER, ...NO_CURRENCIES.map((currency, index) => costRow(`A${index}`, '1.00', { currency }))],
  ),
  ...everyForm(
    refused('a15 amounts of other minor units', 'FILE:2 amount "1,234"', 'FILE:3 amount "12.345"'),
    COSTS,
    [HEADER, costRow('A', '1,234', { currency: 'JPY' }), costRow('B', '12.345', { currency: 'KWD' })],
  ),
  ...everyForm(right('a15b yen', '1 row, 1234.00 JPY'), COSTS, [
    HEADER,
    costRow('A', '1234', { currency: 'JPY' }),
  ]),
  ...everyForm(
    right('a14b currencies that are no longer paid', '4 rows, 1.00 BGN, 1.00 DEM, 1.00 HRK, 1.00 RUB'),
    COSTS,
    [HEADER, ...['HRK', 'BGN', 'RUB', 'DEM'].map((currency) => costRow(currency, '1.00', { currency }))],
  ),
  ...textForms(
    right('a02b a German sheet', '2 rows, 1233.51 EUR'),
    COSTS,
    `\uFEFF${csvOf([HEADER, costRow('A', '1.234,50', { currency: 'EUR', vendor: 'two\r\nlines' }), costRow('B', '-0,99', { currency: 'EUR' })], ';').replaceAll(/(?<!\r)\n/g, '\r\n')}`,
  ),
];
