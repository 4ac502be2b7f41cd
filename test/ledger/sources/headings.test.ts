/** The headings that people use: the refusal names the column that is meant, whichever the form of the file. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadFocus } from '../../../src/ledger/focus/load-focus.ts';
import { load } from '../../../src/ledger/load/load.ts';
import { columnMeant } from '../../../src/ledger/sources/headings.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { type Charge, charges, csv, writeParquet } from '../focus/bills.ts';
import { company, faultsOf, loadFiles } from '../load/folder.ts';

let database: TestDatabase;
let folder: string;
let url: string;
beforeAll(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-headings-'));
  url = database.url('cf_owner');
  await loadFiles(url, company(1));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.drop();
});

const COST_COLUMNS = [
  'source_ref',
  'initiative',
  'amount',
  'amount_cents',
  'currency',
  'period_start',
  'period_end',
  'vendor_name',
  'description',
  'cost_type',
];

it.each([
  ['Amount', 'amount'],
  ['AMOUNT (EUR)', 'amount'],
  ['Betrag', 'amount'],
  ['Betrag [€]', 'amount'],
  ['Cost', 'amount'],
  ['Netto-Betrag', 'amount'],
  ['Amount Cents', 'amount_cents'],
  ['Vendor', 'vendor_name'],
  ['Lieferant', 'vendor_name'],
  ['Betrag netto', 'amount'],
  ['Umsatz (ohne Soll/Haben-Kz)', 'amount'],
  ['WKZ Umsatz', 'currency'],
  ['Belegfeld 1', 'source_ref'],
  ['Num', 'source_ref'],
  ['Kostenart', 'cost_type'],
  ['Datum', 'period_start'],
  ['Date', 'period_start'],
  ['Invoice date', 'period_start'],
  ['Period', 'period_start'],
  ['Month', 'period_start'],
  ['Period  Start', 'period_start'],
  ['Bis', 'period_end'],
  ['WÄHRUNG', 'currency'],
  ['Projekt', 'initiative'],
  ['Verwendungszweck', 'description'],
  ['Rechnungs-Nr', null],
  ['Rechnungsnummer', 'source_ref'],
  ['curency', 'currency'],
  ['', null],
  ['%%%', null],
])('the heading %j means %s', (heading, column) => {
  expect(columnMeant(heading, COST_COLUMNS)).toBe(column);
});

it('a heading of a million letters means no column', () => {
  expect(columnMeant('Betrag'.repeat(200_000), COST_COLUMNS)).toBeNull();
});

it('a heading means the column that its table has', () => {
  expect(columnMeant('Month', ['amount', 'month'])).toBe('month');
  expect(columnMeant('Value', ['metric_id', 'value'])).toBe('value');
  expect(columnMeant('Projekt', ['title', 'stage'])).toBe('title');
  expect(columnMeant('Amount', ['name', 'stage'])).toBeNull();
});

const ROW = { source_ref: 'C-1', initiative: 'Invoices', Betrag: '10.00', Datum: '2026-03-01' };
const TEXT = 'source_ref,initiative,Betrag,Datum\nC-1,Invoices,10.00,2026-03-01\n';
const FORMS: Readonly<Record<string, (path: string) => Promise<void>>> = {
  csv: (path) => writeFile(path, TEXT),
  'csv.gz': (path) => writeFile(path, gzipSync(TEXT)),
  ndjson: (path) => writeFile(path, `${JSON.stringify(ROW)}\n`),
  parquet: (path) => writeParquet(path, [ROW], {}),
};
const MEANT = [
  'a column of cost_entries; did you mean amount?',
  'a column of cost_entries; did you mean period_start?',
];

it.each(Object.keys(FORMS))(
  'a refused heading of a %s file names the column that is meant',
  async (ending) => {
    const path = join(folder, `cost_entries.${ending}`);
    await FORMS[ending]?.(path);
    const faults = await faultsOf(load({ url, paths: [path], mode: 'upsert', account: 1n }));
    expect(
      faults
        .filter(({ column }) => ['Betrag', 'Datum'].includes(column ?? ''))
        .map(({ expected }) => expected),
    ).toEqual(MEANT);
  },
);

it.each<readonly [what: string, text: string | Uint8Array, expected: readonly string[]]>([
  [
    'lines above the header',
    'Own Company,,\nsource_ref,initiative,amount\n',
    ['a column of cost_entries; delete the lines above the header'],
  ],
  ['a heading that is no column', 'source_ref,Colour\n', ['a column of cost_entries']],
  [
    'letters of another encoding',
    Buffer.from('source_ref;W\u00E4hrung\n', 'latin1'),
    ['text in UTF-8, or in the encoding that --encoding names, such as windows-1252'],
  ],
])('%s in the first line say what to do', async (_, text, expected) => {
  const path = join(folder, 'cost_entries.csv');
  await writeFile(path, text);
  const loading = load({ url, paths: [path], mode: 'upsert', account: 1n });
  await expect(loading).rejects.toMatchObject({
    hint: expect.stringMatching(/--columns .* --describe cost_entries/),
  });
  const faults = await faultsOf(loading);
  expect(faults.filter(({ column }) => column !== 'source_ref').map((fault) => fault.expected)).toEqual(
    expected,
  );
});

it('days and amounts of spreadsheets are refused with what to write, whichever the form of the file', async () => {
  const header = ['source_ref', 'initiative', 'amount', 'currency', 'period_start'];
  const cells = [
    ['C-1', 'Invoices', '(1,530.03)', 'USD', '2026-03'],
    ['C-2', 'Invoices', '10.00', 'USD', '31.03.2026'],
    ['C-3', 'Nowhere', '10.00', 'USD', '2026-03'],
  ];
  const rows = cells.map((row) => Object.fromEntries(row.map((cell, index) => [header[index] ?? '', cell])));
  const text = [header, ...cells].map((row) => row.join(';')).join('\n');
  const forms: Readonly<Record<string, (path: string) => Promise<void>>> = {
    csv: (path) => writeFile(path, text),
    'csv.gz': (path) => writeFile(path, gzipSync(text)),
    ndjson: (path) => writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join('')),
    parquet: (path) => writeParquet(path, rows, {}),
  };
  for (const [ending, write] of Object.entries(forms)) {
    const path = join(folder, `cost_entries.${ending}`);
    await write(path);
    const faults = await faultsOf(load({ url, paths: [path], mode: 'upsert', account: 1n }));
    expect([ending, faults.map(({ expected }) => expected.split('; ')[1])]).toEqual([
      ending,
      ['write -1530.03', 'write 2026-03-31', 'add a row for it to initiatives.csv'],
    ]);
  }
});

it('a refused heading of standard input names the column that is meant', async () => {
  const stdin = Readable.from([Buffer.from(TEXT)]);
  const request = { url, paths: ['-'], table: 'cost_entries', stdin, mode: 'upsert', account: 1n } as const;
  const faults = await faultsOf(load(request));
  expect(faults.map(({ expected }) => expected)).toEqual(MEANT);
});

/** A charge with its cost and its times under headings of people. */
const [CHARGE = {}] = charges({});
const { BilledCost = null, BillingPeriodStart = null, BillingCurrency = null, ...others } = CHARGE;
const OWN: Charge = { ...others, Betrag: BilledCost, Period: BillingPeriodStart, Currency: BillingCurrency };
const FOCUS_FORMS: Readonly<Record<string, (path: string) => Promise<void>>> = {
  csv: (path) => writeFile(path, csv([OWN])),
  'csv.gz': (path) => writeFile(path, gzipSync(csv([OWN]))),
  ndjson: (path) => writeFile(path, `${JSON.stringify(OWN)}\n`),
  parquet: (path) => writeParquet(path, [OWN], {}),
};

it.each(Object.keys(FOCUS_FORMS))(
  'a refused heading of a %s file of FOCUS names the column that is meant',
  async (ending) => {
    const path = join(folder, `bill.${ending}`);
    await FOCUS_FORMS[ending]?.(path);
    const faults = await faultsOf(
      loadFocus({ url, paths: [path], account: 1n, isOwnSnapshot: async () => false }),
    );
    const meant = (heading: string): string | undefined =>
      faults.find(({ column }) => column === heading)?.expected.split('; ')[1];
    expect(['Betrag', 'Period', 'Currency'].map(meant)).toEqual([
      'did you mean BilledCost?',
      'did you mean BillingPeriodStart?',
      'did you mean BillingCurrency?',
    ]);
  },
);
