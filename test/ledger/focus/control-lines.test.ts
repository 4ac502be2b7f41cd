/** The control line beside a file of FOCUS: it holds for the charges of that file alone, whichever its form. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { loadFocus } from '../../../src/ledger/focus/load-focus.ts';
import { type Expected, parseExpected } from '../../../src/ledger/staging/mode.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { foundCompany } from '../load/folder.ts';
import { type Charge, charges, csv, writeParquet } from './bills.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createDatabase();
  await foundCompany(database.pool('cf_owner', 1), 1);
});
afterAll(() => database.drop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-control-'));
  return () => rm(folder, { recursive: true });
});

// 1.00 + 2.005 + 4.00 = 7.005 dollars, which round to 7.01.
const ROWS = charges({ BilledCost: '1.00' }, { BilledCost: '2.005' }, { BilledCost: '4.00' });
const OTHER = charges({ BillingAccountId: 'acc-2', BillingCurrency: 'EUR', BilledCost: '9.00' });
const FORMS: Readonly<Record<string, (path: string, rows: readonly Charge[]) => Promise<void>>> = {
  csv: (path, rows) => writeFile(path, csv(rows)),
  'csv.gz': (path, rows) => writeFile(path, gzipSync(csv(rows))),
  ndjson: (path, rows) => writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join('')),
  parquet: (path, rows) => writeParquet(path, rows, { BilledCost: 'decimal(10,3)' }),
};

const loadAll = (expected?: Expected) =>
  loadFocus({
    url: database.url('cf_owner'),
    paths: [folder],
    account: 1n,
    isOwnSnapshot: async () => false,
    dryRun: true,
    ...(expected && { expect: expected }),
  });

const control = (name: string, line: string): Promise<void> =>
  writeFile(join(folder, `${name}.control`), line);
/** Loads with this control line beside the file, and expects the refusal that says what was found. */
async function expectFault(name: string, line: string, found: string): Promise<void> {
  await control(name, line);
  await expect(loadAll()).rejects.toMatchObject({
    code: 'load_unexpected',
    message: `${name}.control: ${found}; nothing was loaded.`,
  });
}

it.each(Object.keys(FORMS))('a control line beside a %s file holds for this file alone', async (ending) => {
  const name = `bill.${ending}`;
  await FORMS[ending]?.(join(folder, name), ROWS);
  await writeFile(join(folder, 'other.csv'), csv(OTHER));
  await control(name, 'rows=3,USD=7.01\n');
  expect((await loadAll()).bills).toHaveLength(2);
  await expectFault(name, 'rows=4,USD=7.01', 'rows: expected 4, found 3');
});

it('each of two control lines holds for its file, to the cent and in each currency', async () => {
  await writeFile(join(folder, 'bill.csv'), csv(ROWS));
  await writeFile(join(folder, 'other.csv'), csv(OTHER));
  await control('bill.csv', 'rows=3,USD=7.01');
  await control('other.csv', 'rows=1,EUR=9.00');
  expect((await loadAll()).bills).toHaveLength(2);
  await expectFault('bill.csv', 'USD=7.00', 'USD: expected 7.00, found 7.01');
  await expectFault('bill.csv', 'rows=3,USD=7.01,EUR=9.00', 'EUR: expected 9.00, found none');
  await control('bill.csv', 'three rows');
  await expect(loadAll()).rejects.toMatchObject({
    code: 'usage_invalid',
    message: 'bill.csv.control is no line such as rows=3,USD=100.00; nothing was loaded.',
  });
});

const expecting = (line: string): Expected => parseExpected(line) ?? { rows: -1, sums: new Map() };

it('--expect holds for the charges of all months and files together, rounded once', async () => {
  const months = { BillingPeriodStart: '2026-11-01', BillingPeriodEnd: '2026-12-01', BilledCost: '0.005' };
  await writeFile(join(folder, 'bill.csv'), csv(charges({ BilledCost: '0.005' }, months)));
  await writeFile(join(folder, 'other.csv'), csv(OTHER));
  expect((await loadAll(expecting('rows=3,USD=0.01,EUR=9.00'))).bills).toHaveLength(3);
  await expect(loadAll(expecting('USD=0.02,EUR=9.00'))).rejects.toMatchObject({
    code: 'load_unexpected',
    message: '--expect: USD: expected 0.02, found 0.01; nothing was loaded.',
  });
});
