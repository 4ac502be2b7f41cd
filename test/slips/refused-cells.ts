/** Slips of cells, rows and columns that the rules of a load refuse alone. */
import { ALL, type Slip, inCell, inHeader, inRow, inRows, spliced } from './slip.ts';
import { columnOf, withCell } from './sheet.ts';

const ROWS: readonly Slip[] = [
  inRow('a cell is missing', (row, chance) => row.toSpliced(chance.below(row.length), 1)),
  inRow('a cell is added', (row, chance) => row.toSpliced(chance.below(row.length + 1), 0, 'x')),
  inRow('an empty cell is added', (row, chance) => row.toSpliced(chance.below(row.length + 1), 0, '')),
  inRow('the cells of a row move to the right', (row) => ['', ...row.slice(0, -1)], {
    byDatabase: true,
    forms: ALL,
  }),
  inRow('the cells of a row move to the left', (row) => [...row.slice(1), ''], {
    byDatabase: true,
    forms: ALL,
  }),
  inRows('an empty row stands in the middle', (rows, chance, { header }) =>
    rows.toSpliced(
      chance.below(rows.length),
      0,
      header.map(() => ''),
    ),
  ),
  inRows('the header stands once more among the rows', (rows, chance, { header }) =>
    rows.toSpliced(1 + chance.below(rows.length), 0, header),
  ),
  inRows(
    'a line of totals ends the file',
    (rows, _, sheet) => [
      ...rows,
      sheet.header.map((_name, index) =>
        index === columnOf(sheet, 'amount') ? '99.00' : index === columnOf(sheet, 'text') ? 'Total' : '',
      ),
    ],
    { byDatabase: true },
  ),
  inRows('a row stands twice with its name', (rows, chance) => [...rows, chance.oneOf(rows)], {
    content: 'costs',
    byDatabase: true,
  }),
  inRows(
    'a charge is in another currency than its bill',
    (rows, chance, sheet) =>
      withCell(sheet, chance.below(rows.length), columnOf(sheet, 'currency'), 'EUR').rows,
    { content: 'bill' },
  ),
  inRows(
    'a charge names no billing account',
    (rows, chance, sheet) =>
      withCell(
        sheet,
        chance.below(rows.length),
        sheet.header.indexOf('BillingAccountId'),
        chance.oneOf(['', ' ', 'NULL']),
      ).rows,
    { content: 'bill' },
  ),
  inRows(
    'a key of tags stands twice',
    (rows, chance, sheet) =>
      withCell(sheet, chance.below(rows.length), sheet.header.indexOf('Tags'), '{"a":"1","a":"2"}').rows,
    { content: 'bill' },
  ),
  inRows(
    'a cost names an initiative that is not there',
    (rows, chance, sheet) =>
      withCell(
        sheet,
        chance.below(rows.length),
        sheet.header.indexOf('initiative_ref'),
        chance.oneOf(['', 'j', 'K', 'J J']),
      ).rows,
    { content: 'costs', byDatabase: true },
  ),
];

const HEADERS: readonly Slip[] = [
  inHeader('a column stands twice', (names, chance) => {
    const from = chance.below(names.length);
    const to = (from + 1 + chance.below(names.length - 1)) % names.length;
    return names.with(to, names[from] ?? '');
  }),
  inHeader('a column stands twice, once in capitals', (names, chance) => {
    const from = chance.below(names.length);
    return names.with((from + 1) % names.length, (names[from] ?? '').toUpperCase());
  }),
  inHeader('a column has no name', (names, chance) => names.with(chance.below(names.length - 1), '')),
  inHeader(
    'the name of a column lacks a letter',
    (names, chance, sheet) => {
      const index = columnOf(sheet, chance.oneOf(['amount', 'currency', 'day']));
      const name = names[index] ?? '';
      return names.with(index, spliced(name, chance.below(name.length), 1));
    },
    { forms: ALL },
  ),
  inHeader('the header is missing', (_, chance, { rows }) => chance.oneOf(rows)),
];

/** Forms of numbers that people and programs write, and that may mean something else than a reader takes them for. */
const NO_AMOUNTS: Readonly<Record<string, (amount: string) => string>> = {
  'has a currency sign': (amount) => `$${amount}`,
  'has a currency sign after it': (amount) => `${amount} €`,
  'has parentheses': (amount) => `(${amount})`,
  'has a minus after it': (amount) => `${amount}-`,
  'has the minus sign of typography': (amount) => `\u2212${amount}`,
  'has two minus signs': (amount) => `--${amount}`,
  'has a plus sign': (amount) => `+${amount}x`,
  'has a percent sign': (amount) => `${amount}%`,
  'has an apostrophe before it': (amount) => `'${amount}`,
  'has groups by apostrophes': () => "1'234.50",
  'has groups by narrow spaces': () => '1\u202F234.50',
  'has groups by no-break spaces': () => '1\u00A0234.50',
  'has groups by blanks': () => '1 234.50',
  'has groups of two digits': () => '1,23,456.00',
  'has two points': (amount) => amount.replace('.', '..'),
  'has three parts': (amount) => `${amount}.5`,
  'has the letter O for a zero': (amount) => `${amount}O`,
  'has the letter l for a one': (amount) => `l${amount}`,
  'has full-width digits': () => '１２.５０',
  'has an exponent without digits': () => '1.2E',
  'is hexadecimal': () => '0x1F',
  'is a truth value': () => 'true',
  'is an error of a spreadsheet': () => '#REF!',
  'is NaN': () => 'NaN',
  'is n/a': () => 'n/a',
  'is infinite': () => 'Infinity',
  'is a day': () => '2026-03-01',
  'is a formula': (amount) => `=${amount}`,
};

const AMOUNTS: readonly Slip[] = [
  ...Object.entries(NO_AMOUNTS).map(([what, change]) => inCell(`an amount ${what}`, 'amount', change)),
  inCell('an amount is more than a ledger holds', 'amount', () => '90071992547409.92', { byDatabase: true }),
  inCell('an amount is empty', 'amount', () => '', { byDatabase: true }),
  inCell(
    'an amount could mean two numbers',
    'amount',
    (_, chance) => `${1 + chance.below(9999)}${chance.oneOf(['.', ','])}${100 + chance.below(900)}`,
    { content: 'costs' },
  ),
  inCell('an amount has four decimals', 'amount', (amount) => `${amount}01`, { content: 'costs' }),
  inCell('an amount has an exponent', 'amount', () => '1.23E+05', { content: 'costs' }),
  inCell('an amount has a decimal comma', 'amount', (amount) => amount.replace('.', ','), {
    content: 'bill',
  }),
  inCell('an amount has groups of thousands', 'amount', () => '1,234.50', { content: 'bill' }),
  inCell('an amount has more decimals than are kept', 'amount', (amount) => `${amount}${'0'.repeat(28)}1`, {
    content: 'bill',
  }),
];

const DAYS = [
  '2026-02-30',
  '2026-13-01',
  '2026-00-10',
  '2026-04-31',
  '2025-02-29',
  '0000-01-01',
  '12026-03-01',
];
const OTHER_DAYS = [
  '01.03.2026',
  '3/1/2026',
  '20260301',
  '46082',
  'Mar-26',
  '2026-3-1',
  '２０２６-03-01',
  'yesterday',
  '26-03-01',
  '1900-01-00',
  '2026-W10',
  'infinity',
  '2026-10-01T00:00:00+02:00',
  '2026-10-01 24:00',
];
const NO_CURRENCIES = ['usd', 'US', 'USDX', '$', 'U$D', 'Euro', '', ' USD', 'USD ', 'XXX', 'QQQ', 'ＵＳＤ'];

export const REFUSED_CELLS: readonly Slip[] = [
  ...ROWS,
  ...HEADERS,
  ...AMOUNTS,
  ...DAYS.map((day) => inCell(`a day is ${day}`, 'day', () => day, { byDatabase: true })),
  ...OTHER_DAYS.map((day) => inCell(`a day is written as ${day}`, 'day', () => day, { byDatabase: true })),
  ...NO_CURRENCIES.map((text) =>
    inCell(`a currency is written as ${JSON.stringify(text)}`, 'currency', () => text, { byDatabase: true }),
  ),
  inCell('a text has the character U+0000', 'text', (text, chance) =>
    spliced(text, chance.below(text.length + 1), 0, '\0'),
  ),
  inCell('a text has lost a letter', 'text', (text, chance) =>
    spliced(text, chance.below(text.length + 1), 0, '\uFFFD'),
  ),
];
