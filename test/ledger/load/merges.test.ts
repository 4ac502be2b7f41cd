/** Merges of vendors in files: chains are flattened as they are when they are written one by one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { faultsOf, foundCompany, loadFiles } from './folder.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
  await foundCompany(await database.client('cf_owner'), 1);
});
afterAll(() => database.drop());

const HEADER = 'account_id,id,name,merged_into_id';

async function merges(): Promise<readonly unknown[]> {
  const owner = await database.client('cf_owner');
  const { rows } = await owner.query<{ id: bigint; merged_into_id: bigint | null }>(
    'select id, merged_into_id from ledger.vendors where account_id = 1 order by id',
  );
  return rows.map(({ id, merged_into_id }) => [id, merged_into_id]);
}

describe('a load of vendors', () => {
  it('takes a chain of merges in one file, whichever link comes first, and flattens it', async () => {
    // 1 into 2, 2 into 3, 3 into 4: all lead to 4. And 7 into 6, 6 into 5, the last link first.
    const rows = ['1,1,A,2', '1,2,B,3', '1,3,C,4', '1,4,D,', '1,5,E,', '1,6,F,5', '1,7,G,6'];
    const files = { 'vendors.csv': [HEADER, ...rows, ''].join('\n') };
    expect(await faultsOf(loadFiles(database.url('cf_owner'), files))).toEqual([]);
    const flat = [
      [1n, 4n],
      [2n, 4n],
      [3n, 4n],
      [4n, null],
      [5n, null],
      [6n, 5n],
      [7n, 5n],
    ];
    expect(await merges()).toEqual(flat);
    // The same file again, over what it made.
    expect(await faultsOf(loadFiles(database.url('cf_owner'), files, { mode: 'upsert' }))).toEqual([]);
    expect(await merges()).toEqual(flat);
  });

  it('refuses a circle of merges', async () => {
    const rows = ['1,11,K,12', '1,12,L,11', ''];
    const found = await faultsOf(
      loadFiles(database.url('cf_owner'), { 'vendors.csv': [HEADER, ...rows].join('\n') }),
    );
    expect(found).toMatchObject([{ file: 'vendors.csv', expected: expect.stringContaining('into itself') }]);
  });
});
