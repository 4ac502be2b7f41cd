/** Cases of `load --focus`, by the letters of the reports. */
import { gzipSync } from 'node:zlib';
import { type Charge, charges, csv } from '../ledger/focus/bills.ts';
import type { Case } from './case.ts';
import { csvOf, everyForm, textForms } from './every-form.ts';
import type { Rows } from './sheet.ts';

const right = (id: string, ...says: readonly string[]) => ({ id, exit: 0, says, isBill: true }) as const;
const refused = (id: string, ...says: readonly string[]) => ({ id, exit: 1, says, isBill: true }) as const;

/** The charges as a table; null is an empty cell. */
function tableOf(...rows: readonly Charge[]): Rows {
  const all = charges(...rows);
  const names = Object.keys(all[0] ?? {});
  return [names, ...all.map((each) => names.map((name) => each[name] ?? ''))];
}
const bill = (...rows: readonly Charge[]): string => csv(charges(...rows));
const period = (BillingPeriodStart: string, BillingPeriodEnd: string): Charge => ({
  BillingPeriodStart,
  BillingPeriodEnd,
});

const MONEY: readonly Case[] = [
  ...everyForm(
    right(
      'B3 what floats leave of a zero',
      '2 charges, 10.50 billed',
      'rounded 1 amount below a ten-thousandth of a cent',
    ),
    'bill',
    tableOf({ BilledCost: '10.5' }, { BilledCost: '-1.1102230246251565e-16' }),
  ),
  ...everyForm(
    right('b26 an exact exponent', "files' own total is 0.0000123, rounded 0.00"),
    'bill',
    tableOf({ BilledCost: '1.23E-05' }),
  ),
  ...everyForm(
    refused(
      'b24 no number',
      'FILE:2 BilledCost "NaN"',
      'FILE:3 BilledCost "1,50"',
      'FILE:4 BilledCost "1e40"',
      'FILE:5 BilledCost',
    ),
    'bill',
    tableOf({ BilledCost: 'NaN' }, { BilledCost: '1,50' }, { BilledCost: '1e40' }, { BilledCost: '' }),
  ),
  ...everyForm(
    refused('b25 two currencies in one bill', 'FILE:3 BillingCurrency "EUR"', 'an invoice has one currency'),
    'bill',
    tableOf({}, { BillingCurrency: 'EUR' }),
  ),
  ...everyForm(
    refused('B5 b26 an unknown currency', 'FILE:2 BillingCurrency "ZZZ"'),
    'bill',
    tableOf({ BillingCurrency: 'ZZZ' }),
  ),
  ...everyForm(
    refused('B5 b26e more than a ledger holds', 'FILE:2 BilledCost "90071992547409.92"'),
    'bill',
    tableOf({ BilledCost: '90071992547409.92' }),
  ),
  ...everyForm(
    refused('B5 b26c the character U+0000', 'FILE:2 BillingAccountName', 'U+0000'),
    'bill',
    tableOf({ BillingAccountName: 'a\0b' }),
  ),
];

const TIMES: readonly Case[] = [
  ...everyForm(
    right('W10 October in UTC+8', '2026-10 USD: 1 charge, 1.00 billed'),
    'bill',
    tableOf(period('2026-09-30T16:00:00Z', '2026-10-31T16:00:00Z')),
  ),
  ...everyForm(
    right('W16 times without a zone', '2026-10 USD: 1 charge, 1.00 billed'),
    'bill',
    tableOf(period('2026-10-01 00:00:00', '2026-11-01 00:00:00')),
  ),
  ...everyForm(
    refused('b10c a time with an offset', 'FILE:2 BillingPeriodStart', 'a UTC date and time'),
    'bill',
    tableOf(period('2026-10-01T00:00:00+02:00', '2026-11-01')),
  ),
  ...everyForm(
    refused('B5 b26f a year that no bill has', 'FILE:2 BillingPeriodStart', 'the years 1990 to 2199'),
    'bill',
    tableOf(period('0001-01-01', '0001-02-01')),
  ),
  ...everyForm(
    refused('a quarter', 'FILE:2 BillingPeriodEnd', '2026-10', '2026-12'),
    'bill',
    tableOf(period('2026-10-01', '2027-01-01')),
  ),
];

const names = (more: Charge): Charge => ({ ServiceProviderName: '', HostProviderName: '', ...more });
const NAMES: readonly Case[] = [
  ...everyForm(
    right(
      'W11 two providers whose first names are empty',
      '  Acme Main: 1 charge, 5.00 billed',
      '  Nimbus Main: 1 charge, 10.00 billed',
    ),
    'bill',
    tableOf(
      names({ BilledCost: '10.00', ProviderName: 'Nimbus' }),
      names({ BilledCost: '5.00', ProviderName: 'Acme' }),
    ),
  ),
  ...everyForm(
    right('W11 NULL as a word', '  Nimbus acc-1: 1 charge, 1.00 billed'),
    'bill',
    tableOf({
      ServiceProviderName: 'NULL',
      HostProviderName: 'NULL',
      BillingAccountName: 'NULL',
      Tags: 'NULL',
      ProviderName: 'Nimbus',
    }),
  ),
  ...everyForm(
    refused('W11 no name at all', 'FILE:2 ProviderName', 'the provider of the charge'),
    'bill',
    tableOf(names({ ProviderName: ' ', PublisherName: '', InvoiceIssuerName: '' })),
  ),
  ...everyForm(
    right(
      'B4 columns of Oracle and of the sample',
      'did not read Provider, Region, oci_CompartmentId, Id',
      '1 charge, 1.00 billed',
    ),
    'bill',
    tableOf({ Provider: 'x', Region: 'x', oci_CompartmentId: 'x', Id: '7' }),
  ),
  ...textForms(
    right(
      'B12 b15 names in small letters',
      'read 22 columns by a name in another case',
      '1 charge, 1.00 billed',
    ),
    'bill',
    csvOf(
      tableOf({ Tags: '{}' }).map((cells, index) =>
        index === 0 ? cells.map((name) => name.toLowerCase()) : cells,
      ),
    ),
  ),
  ...textForms(
    refused('W12 b17 Windows-1252', 'FILE:2 BillingAccountName', 'windows-1252'),
    'bill',
    Buffer.from(bill({ BillingAccountName: 'Müller' }), 'latin1'),
  ),
];

const ROWS: readonly Case[] = [
  ...textForms(
    refused('W2 b09d an unquoted comma before the amount', 'FILE:2 ', '21 cells as in the header, found 22'),
    'bill',
    bill({ ChargeDescription: 'Tokens§ out' }).replace('"Tokens§ out"', 'Tokens, out'),
  ),
  ...textForms(
    refused('b09 a row that is cut', 'FILE:3 ', '21 cells as in the header, found'),
    'bill',
    csvOf(tableOf({}, {})).slice(0, -60),
  ),
  ...textForms(
    refused('W4 b16 a column twice', 'FILE:1 BilledCost', 'each column once'),
    'bill',
    csvOf(
      tableOf({ BilledCost: '40.00' }).map((cells, index) => [
        ...cells,
        index === 0 ? 'BilledCost' : '999.00',
      ]),
    ),
  ),
  ...everyForm(refused('b23c a line of totals', 'FILE:3 BillingPeriodStart'), 'bill', [
    ...tableOf({}),
    tableOf({})[0]?.map((name) => (name === 'BilledCost' ? '1.00' : '')) ?? [],
  ]),
  ...everyForm(
    right('b23b rows of padding', 'ignored 2 empty rows at its end', '1 charge, 1.00 billed'),
    'bill',
    [...tableOf({}), ...[1, 2].map(() => tableOf({})[0]?.map(() => '') ?? [])],
  ),
  ...textForms(right('b23 semicolons', '1 charge, 1.00 billed'), 'bill', csvOf(tableOf({}), ';')),
];

/** A line of JSON with one charge. */
const lineOf = (more: Record<string, unknown>): string =>
  `${JSON.stringify({ ...charges({ BilledCost: '1.00' })[0], ...more })}\n`;

const FILES: readonly Case[] = [
  {
    ...refused('W17 an object for a name', 'bill.ndjson:1 ProviderName', 'a plain value'),
    files: { 'bill.ndjson': lineOf({ ProviderName: { name: 'Acme' } }) },
  },
  {
    ...right('W17 tags and unread columns as objects', '1.00 claimed and 0.00 unclaimed'),
    files: {
      'bill.ndjson': lineOf({ Tags: { initiative: 'Mail' }, x_More: [1], SkuPriceDetails: { a: 1 } }),
    },
  },
  {
    ...refused('W5 a copy that is packed', 'bill.csv.gz', 'bill.csv holds the same'),
    files: { 'bill.csv': bill({}), 'bill.csv.gz': gzipSync(bill({})) },
  },
  {
    ...refused('W5 S19 each run in a folder', 'one run of an export', '100.00 USD', '110.00 USD'),
    files: { 'run-1/a.csv': bill({ BilledCost: '100.00' }), 'run-2/a.csv': bill({ BilledCost: '110.00' }) },
  },
  {
    ...right('S21 parts of different accounts', '2 charges, 100.00 billed'),
    files: {
      'sub-1/a.csv': bill({ BilledCost: '70.00' }),
      'sub-2/a.csv': bill({ BilledCost: '30.00', BillingAccountId: 'acc-2' }),
    },
  },
  {
    ...refused('W6 b08 parts of other endings', 'part-2.csv.zip', 'part-3.jsonl'),
    files: { 'part-1.csv': bill({ BilledCost: '40.00' }), 'part-2.csv.zip': 'PK', 'part-3.jsonl': '{}' },
  },
  {
    ...refused('B6 a folder of Spark in which a part is cut', 'data.csv/part-1.csv.gz', 'a whole gzip file'),
    files: {
      'data.csv/part-0.csv': bill({}),
      'data.csv/part-1.csv.gz': gzipSync(bill({ BilledCost: '2' })).subarray(0, 80),
      'data.csv/_SUCCESS': '',
    },
  },
  {
    ...right('W15 an account of digits in the mapping', '40.00 billed: 40.00 claimed and 0.00 unclaimed'),
    files: {
      'bill.csv': bill({ BilledCost: '40.00', BillingAccountId: '012345678901' }),
      'number.yml': 'rules:\n  - when: { BillingAccountId: 012345678901 }\n    initiative: Mail\n',
    },
    request: { map: 'number.yml' },
  },
  {
    ...right(
      'W15 a rule that matches nothing',
      'Rules of the mapping that match no charge',
      '0.00 claimed and 1.00 unclaimed',
    ),
    files: {
      'bill.csv': bill({}),
      'map.yml': 'rules:\n  - when: { BillingAccountId: 12 }\n    initiative: Mail\n',
    },
    request: { map: 'map.yml' },
  },
];

export const CASES_OF_BILLS: readonly Case[] = [...MONEY, ...TIMES, ...NAMES, ...ROWS, ...FILES];
