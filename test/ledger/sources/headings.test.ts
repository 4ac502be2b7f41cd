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

it('a refused heading of standard input names the column that is meant', async () => {
  const stdin = Readable.from([Buffer.from(TEXT)]);
  const request = { url, paths: ['-'], table: 'cost_entries', stdin, mode: 'upsert', account: 1n } as const;
  const faults = await faultsOf(load(request));
  expect(faults.map(({ expected }) => expected)).toEqual(MEANT);
});

/** A charge with its cost and its times under headings of people. */
const [WHOLE = {}] = charges({});
const { BilledCost = null, BillingPeriodStart = null, BillingCurrency = null, ...others } = WHOLE;
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
