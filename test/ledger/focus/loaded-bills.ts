/** Bills and their usage, loaded into an account of its own for each test. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Pool } from 'pg';
import { loadFocus } from '../../../src/ledger/focus/load-focus.ts';
import { load } from '../../../src/ledger/load/load.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { foundCompany } from '../load/folder.ts';
import { type Charge, charges, csv } from './bills.ts';

export const INVOICES = { Tags: '{"initiative":"Invoices"}' };
/** The columns of a file of usage, and the reference of the bill as its CSV has it. */
export const HEADER = 'source_ref,bill_ref,used_on,model,unit,quantity';
export const REF = '[""Acme AI"",""acc-1"",""2026-10"",""USD""]';

/** Prepares a database for the tests of a file. The account of each test has the company, and no bill. */
export function openBills() {
  let database: TestDatabase;
  let pool: Pool;
  let folder: string;
  let account = 60;
  beforeAll(async () => {
    database = await createDatabase();
    pool = database.pool('cf_owner', 2);
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'crossfoot-bills-'));
    account += 1;
    await foundCompany(pool, account);
    return () => rm(folder, { recursive: true });
  });
  return {
    database: () => database,
    pool: () => pool,
    folder: () => folder,
    account: () => account,
    /** The notes of the load. */
    loadBill: async (...rows: readonly Charge[]): Promise<readonly string[]> => {
      await writeFile(join(folder, 'bill.csv'), csv(charges(...rows)));
      const { sums } = await loadFocus({
        url: database.url('cf_owner'),
        paths: [join(folder, 'bill.csv')],
        account: BigInt(account),
        isOwnSnapshot: async () => await Promise.resolve(false),
      });
      return sums.notes;
    },
    loadUsage: async (...lines: readonly string[]): Promise<void> => {
      await writeFile(join(folder, 'usage.csv'), `${lines.join('\n')}\n`);
      const paths = [join(folder, 'usage.csv')];
      const url = database.url('cf_owner');
      await load({ url, paths, mode: 'upsert', source: 'focus', account: BigInt(account) });
    },
    /** The rows of a query, which names the account `$account`. */
    query: async (text: string): Promise<readonly Record<string, unknown>[]> =>
      (await pool.query<Record<string, unknown>>(text.replaceAll('$account', String(account)))).rows,
  };
}
