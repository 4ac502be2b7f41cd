import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadFocus } from '../../../src/ledger/focus/load-focus.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { faultsOf, foundCompany } from '../load/folder.ts';
import { type Charge, charges, csv, writeParquet } from './bills.ts';
import { FORMS } from './forms.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createDatabase();
  await foundCompany(database.pool('cf_owner', 1), 4);
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-focus-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.drop();
});

const most = '90071992547409.91';
const CASES: Readonly<Record<string, { rows: readonly Charge[]; place: readonly (readonly unknown[])[] }>> = {
  'a currency that is none': {
    rows: charges({ Tags: '{"initiative":"Invoices"}' }, { BillingAccountId: 'b', BillingCurrency: 'ZZZ' }),
    place: [[3, 'BillingCurrency', 'ZZZ']],
  },
  'charges that add up to more than the ledger has': {
    rows: charges({ BilledCost: most }, { BilledCost: '0.01' }),
    place: [[2, 'BilledCost', '90071992547409.92']],
  },
};

it.each(FORMS.flatMap((form) => Object.keys(CASES).map((name) => [form, name] as const)))(
  'a %s with %s is refused at a place that people have',
  async (form, name) => {
    const { rows = [], place = [] } = CASES[name] ?? {};
    const path = join(folder, `bill.${form}`);
    if (form === 'parquet') await writeParquet(path, rows, {});
    else await writeFile(path, form === 'csv' ? csv(rows) : gzipSync(csv(rows)));
    const request = { url: database.url('cf_owner'), account: 4n, paths: [path], dryRun: true };
    const faults = await faultsOf(
      loadFocus({ ...request, isOwnSnapshot: async () => await Promise.resolve(false) }),
    );
    expect(faults.map((fault) => [fault.file, fault.line, fault.column, fault.value])).toEqual(
      place.map((each) => [`bill.${form}`, ...each]),
    );
  },
);

it('the fault of an unknown account names its option', async () => {
  await writeFile(join(folder, 'bill.csv'), csv(charges({})));
  const request = { url: database.url('cf_owner'), account: 99n, paths: [join(folder, 'bill.csv')] };
  const faults = await faultsOf(
    loadFocus({ ...request, isOwnSnapshot: async () => await Promise.resolve(false) }),
  );
  expect(faults.map(({ file, line, value }) => [file, line, value])).toEqual([['--account', null, '99']]);
});
