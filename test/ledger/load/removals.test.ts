import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LoadRequest } from '../../../src/ledger/load/load.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { type Founded, foundAccount } from '../../support/ledger-rows.ts';
import { faultsOf, loadFiles } from './folder.ts';

let database: TestDatabase;
let home: Founded;
let other: Founded;
beforeAll(async () => {
  database = await createDatabase();
  const owner = await database.client('cf_owner');
  [home, other] = [await foundAccount(owner), await foundAccount(owner)];
  await load(file(...TEN));
});
afterAll(() => database.drop());

const HEADER = 'source_ref,initiative_ref,amount,currency,period_start';
const file = (...rows: readonly string[]): string =>
  [HEADER, ...rows.map((row) => `${row},2026-05`), ''].join('\n');
/** A dollar each, one of them a credit, and a euro alone: 9.00 USD without signs. */
const TEN = [
  ...['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((ref) => `${ref},J,1.00,USD`),
  'i,J,-1.00,USD',
  'j,J,5.00,EUR',
];
const load = (text: string, request: Partial<LoadRequest> = {}) =>
  loadFiles(
    database.url('cf_owner'),
    { 'initiatives.csv': 'source_ref,title,stage\nJ,Mail,live\n', 'cost_entries.csv': text },
    { mode: 'upsert', account: home.account, source: 'books', ...request },
  );
const complete = { complete: true, dryRun: true };
const valuesOf = async (text: string, request: Partial<LoadRequest> = {}): Promise<readonly unknown[]> =>
  (await faultsOf(load(text, { ...complete, ...request }))).map(({ value, expected }) => [value, expected]);

describe('a load with --complete', () => {
  it('refuses a file without rows that would remove the rows of its source', async () => {
    expect(await valuesOf(file())).toEqual([
      ['no row, which removes 10 rows of books', 'at least one row with --complete, or --allow-removal'],
    ]);
  });

  it('refuses to remove more than a tenth of the amounts of a currency, credits counted without their sign', async () => {
    // One of nine dollars is more than a tenth; the euro is all of its currency.
    const tenth = "at most a tenth of the source's amounts, or --allow-removal";
    expect(await valuesOf(file(...TEN.slice(1)))).toEqual([['removes 1.00 of 9.00 USD of books', tenth]]);
    expect(await valuesOf(file(...TEN.slice(0, 8), TEN[9] ?? ''))).toEqual([
      ['removes 1.00 of 9.00 USD of books', tenth],
    ]);
    expect(await valuesOf(file(...TEN.slice(0, 9)))).toEqual([['removes 5.00 of 5.00 EUR of books', tenth]]);
  });

  it('removes a tenth exactly, and anything where --allow-removal is given', async () => {
    await load(file('k,J,1.00,USD'));
    // Now 1.00 of 10.00 USD.
    expect(await valuesOf(file(...TEN))).toEqual([]);
    expect(await valuesOf(file(), { allowRemoval: true })).toEqual([]);
  });

  it('counts the rows of its own source alone', async () => {
    await load(file('x,J,1.00,USD', 'y,J,1.00,USD'), { source: 'cards' });
    expect(await valuesOf(file('x,J,1.00,USD'), { source: 'cards' })).toEqual([
      ['removes 1.00 of 2.00 USD of cards', "at most a tenth of the source's amounts, or --allow-removal"],
    ]);
  });

  it('counts the rows of its own account alone', async () => {
    await load(file('z,J,100.00,USD'), { account: other.account, source: 'plans' });
    await load(file('x,J,1.00,USD', 'y,J,1.00,USD'), { source: 'plans' });
    // With the other account it would be one of 102 dollars.
    expect(await valuesOf(file('x,J,1.00,USD'), { source: 'plans' })).toEqual([
      ['removes 1.00 of 2.00 USD of plans', "at most a tenth of the source's amounts, or --allow-removal"],
    ]);
  });
});
