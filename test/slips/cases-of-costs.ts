/** Cases of rows and files of `load`, by the letters of the reports. */
import { gzipSync } from 'node:zlib';
import type { Case } from './case.ts';
import { COSTS, HEADER, costRow, csvOf, everyForm, textForms } from './every-form.ts';

const ten = csvOf([HEADER, costRow('A', '10.00')]);
const head = HEADER.join(',');
const right = (id: string, ...says: readonly string[]) => ({ id, exit: 0, says }) as const;
const refused = (id: string, ...says: readonly string[]) => ({ id, exit: 1, says }) as const;

const ROWS: readonly Case[] = [
  ...textForms(
    refused('W2 an unquoted comma', 'FILE:2 ', '6 cells as in the header, found 7'),
    COSTS,
    `${head}\nA,J,10.00,USD,2026-03-01,Acme, Inc.\n`,
  ),
  {
    ...refused('W2 an unquoted comma in a secret', 'connection_secrets.csv:2  "(not shown)"', 'found 3'),
    files: { 'connection_secrets.csv': 'connection_id,credentials\n1,s3,cret\n' },
  },
  ...textForms(
    refused('W4 a column twice', 'FILE:1 amount', 'each column once'),
    COSTS,
    `${head},amount\nA,J,40.00,USD,2026-03-01,Globex,999.00\n`,
  ),
  ...textForms(
    refused('W4 a column twice by its two names', 'FILE:1 amount_cents', 'each column once'),
    COSTS,
    `${head},amount_cents\nA,J,40.00,USD,2026-03-01,Globex,99900\n`,
  ),
  ...everyForm(refused('W18 a name with a blank at its end', 'FILE:3 ', 'A17'), COSTS, [
    HEADER,
    costRow('A17', '5.00'),
    costRow('A17 ', '5.00'),
    costRow('a17', '5.00'),
  ]),
  ...everyForm(right('W18 names of another case', '2 rows, 10.00 USD'), COSTS, [
    HEADER,
    costRow('A17', '5.00'),
    costRow('a17', '5.00'),
  ]),
  ...textForms(
    right('B13 a blank last line', 'ignored 1 empty row at its end', '1 row, 10.00 USD'),
    COSTS,
    `${ten}\n`,
  ),
  ...everyForm(right('B13 rows of padding', 'ignored 2 empty rows at its end', '1 row, 10.00 USD'), COSTS, [
    HEADER,
    costRow('A', '10.00'),
    ['', '', '', '', '', ''],
    ['', '', '', '', '', ''],
  ]),
  ...everyForm(refused('B13 a blank row in the middle', 'FILE:3 ', 'empty only at the end'), COSTS, [
    HEADER,
    costRow('A', '10.00'),
    ['', '', '', '', '', ''],
    costRow('B', '1.00'),
  ]),
  ...textForms(
    right('B11 a01c columns of padding', 'ignored 2 empty columns at its end', '1 row, 10.00 USD'),
    COSTS,
    `${head},,\nA,J,10.00,USD,2026-03-01,Globex,,\n`,
  ),
  ...textForms(
    refused('a11 a heading that is nearly right', 'FILE:1 curency', 'did you mean currency?'),
    COSTS,
    ten.replace('currency', 'curency'),
  ),
  ...everyForm(right('TRUE and FALSE of a sheet', '4 rows, 4.00 USD'), COSTS, [
    [...HEADER, 'is_estimated'],
    ...['TRUE', 'False', 't', 'F'].map((cell, index) => [...costRow(`E${index}`, '1.00'), cell]),
  ]),
  ...everyForm(
    refused('words that are no truth value', 'FILE:2 is_estimated', 'FILE:6 is_estimated'),
    COSTS,
    [
      [...HEADER, 'is_estimated'],
      ...['yes', '1', 'WAHR', 'tr', 'TRUE!'].map((cell, index) => [...costRow(`E${index}`, '1.00'), cell]),
    ],
  ),
  ...everyForm(refused('a12 a line of totals', 'FILE:3 '), COSTS, [
    HEADER,
    costRow('A', '10.00'),
    ['', '', '10.00', '', '', 'Total'],
  ]),
  ...everyForm(refused('a16 a title with a no-break space', 'FILE:2 initiative_ref "J\u00A0K"'), COSTS, [
    HEADER,
    costRow('A', '10.00', { initiative: 'J\u00A0K' }),
  ]),
  ...everyForm(right('a13 a formula is a text', '1 row, 10.00 USD'), COSTS, [
    HEADER,
    costRow('A', '10.00', { vendor: '=1+1' }),
  ]),
];

const quoteOn = (line: number): string =>
  csvOf([
    HEADER,
    ...Array.from({ length: 5_000 }, (_, at) =>
      costRow(`Q${at}`, '1.00', at === line - 2 ? { vendor: '§' } : {}),
    ),
  ]);
const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');

const FILES: readonly Case[] = [
  ...textForms(refused('a18 nothing in a file', 'FILE:1 ', 'a header row'), COSTS, ''),
  ...textForms(
    refused('B11 a09 carriage returns alone', 'FILE:1 ', 'CSV (Macintosh)'),
    COSTS,
    ten.replaceAll('\n', '\r'),
  ),
  ...textForms(
    refused('a02 the line sep=', 'FILE:1 ', 'delete the line that begins with sep='),
    COSTS,
    `sep=,\n${ten}`,
  ),
  ...textForms(
    refused('W12 a04 Windows-1252', 'FILE:2 vendor_name', 'windows-1252'),
    COSTS,
    Buffer.from(ten.replace('Globex', 'Müller'), 'latin1'),
  ),
  ...textForms(
    right('B11 a03b UTF-16 of Excel', '1 row, 10.00 USD'),
    COSTS,
    utf16(ten.replaceAll(',', '\t').replace('Globex', 'Müller')),
  ),
  ...textForms(
    refused('B11 a03d UTF-16 without its mark', '--encoding utf-16le or utf-16be'),
    COSTS,
    utf16(ten).subarray(2),
  ),
  ...textForms(
    refused('B2 a quote on line 9', 'FILE:9 vendor_name', 'quote only at the beginning'),
    COSTS,
    quoteOn(9).replace('§', '5" disk'),
  ),
  ...textForms(
    refused('B2 an open quote on line 9', 'FILE:9 ', 'closing quote before the end'),
    COSTS,
    quoteOn(9).replace('§', '"Globex'),
  ),
  ...textForms(
    refused('B2 a quote on line 4,321', 'FILE:4321 vendor_name', 'quote only at the beginning'),
    COSTS,
    quoteOn(4_321).replace('§', '5" disk'),
  ),
  {
    ...refused('B11 a03e gzip with the name of a text', 'compressed with gzip'),
    files: { 'cost_entries.csv': gzipSync(ten) },
  },
  { ...refused('B11 gzip on standard input', 'compressed with gzip'), files: { '-': gzipSync(ten) } },
  {
    ...right('B12 a byte order mark of JSON lines', '1 row, 10.00 USD'),
    files: {
      'cost_entries.ndjson':
        '\uFEFF{"source_ref":"A","initiative_ref":"J","amount":"10.00","currency":"USD"}\n',
    },
  },
  {
    ...right('a26c JSON lines of Windows', '1 row, 10.00 USD'),
    files: {
      'cost_entries.ndjson': '{"source_ref":"A","initiative_ref":"J","amount":10,"currency":"USD"}\r\n',
    },
  },
  {
    ...refused('W17 a key twice', 'cost_entries.ndjson:1 amount', '"amount" stands twice'),
    files: {
      'cost_entries.ndjson':
        '{"source_ref":"A","initiative_ref":"J","amount":"10.00","amount":"99.00","currency":"USD"}\n',
    },
  },
  {
    ...refused(
      'W17 an object for a text',
      'cost_entries.ndjson:1 vendor_name "{\\"name\\":\\"Globex\\"}"',
      'a plain value',
    ),
    files: {
      'cost_entries.ndjson':
        '{"source_ref":"A","initiative_ref":"J","amount":"10.00","currency":"USD","vendor_name":{"name":"Globex"}}\n',
    },
  },
  {
    ...refused('W13 zeros for the second part', 'a part may be lost'),
    files: { 'cost_entries.csv.gz': Buffer.concat([gzipSync(ten), Buffer.alloc(60)]) },
  },
  {
    ...right('a27 two parts', '2 rows, 15.00 USD'),
    files: {
      'cost_entries.csv.gz': Buffer.concat([gzipSync(ten), gzipSync('B,J,5.00,USD,2026-03-01,Globex\n')]),
    },
  },
  {
    ...refused(
      'W6 files of other endings',
      'cost_entries.jsonl',
      'value_entries.tsv',
      'recurring_costs.ndjson.gz',
      'documents.xlsx',
      '--ignore documents.xlsx',
    ),
    files: {
      'initiatives.csv': 'source_ref,title,stage\nn,N,live\n',
      'value_entries.tsv': '',
      'cost_entries.jsonl': '',
      'recurring_costs.ndjson.gz': '',
      'documents.xlsx': 'PK',
    },
  },
  {
    ...right('W6 files that are left out', 'ignored value_entries.tsv: --ignore', '1 row, 10.00 USD'),
    files: { 'cost_entries.csv': ten, 'value_entries.tsv': '' },
    request: { ignore: ['*.tsv'] },
  },
  {
    ...refused(
      'W5 one table as two files',
      'one file for the rows of a table',
      'cost_entries.csv, cost_entries.csv.gz',
    ),
    files: { 'cost_entries.csv': ten, 'cost_entries.csv.gz': gzipSync(ten) },
  },
  {
    ...refused('B6 a folder with the name of a file', 'cost_entries.csv', 'this is a folder'),
    files: { 'cost_entries.csv/part.csv': ten },
  },
  {
    ...right('a26e a file of macOS', 'ignored ._cost_entries.csv', '1 row, 10.00 USD'),
    files: { 'cost_entries.csv': ten, '._cost_entries.csv': 'x' },
  },
];

export const CASES_OF_COSTS: readonly Case[] = [...ROWS, ...FILES];
