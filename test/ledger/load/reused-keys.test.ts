/** Keys that a load takes from one row and gives to another, and the keys of the rows that a file does not have. */
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { faultsOf, foundCompany, loadFiles } from './folder.ts';

let database: TestDatabase;
let owner: Client;
let account = 0;
beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
});
afterAll(() => database.drop());

/** An account of its own with these rows of a table, whose columns after the account are the id and a unique name. */
async function opened(table: Table, ...rows: readonly Row[]): Promise<void> {
  account += 1;
  await foundCompany(owner, account);
  await loadFiles(database.url('cf_owner'), fileOf(table, rows));
}

type Row = readonly [id: number, name: string];
type Table = 'metrics' | 'vendors';
const HEADERS = { metrics: 'account_id,id,metric_key,name', vendors: 'account_id,id,name' };

function fileOf(table: Table, rows: readonly Row[]) {
  const lines = rows.map(([id, name]) =>
    [account, id, name, ...(table === 'metrics' ? ['M'] : [])].join(','),
  );
  return { [`${table}.csv`]: [HEADERS[table], ...lines, ''].join('\n') };
}

const load = (table: Table, rows: readonly Row[], deleteMissing = false) =>
  loadFiles(database.url('cf_owner'), fileOf(table, rows), { mode: 'upsert', deleteMissing });
const named = async (table: Table): Promise<readonly unknown[]> => {
  const name = table === 'metrics' ? 'metric_key' : 'name';
  const { rows } = await owner.query({
    text: `select id::int, ${name} from ledger.${table} where account_id = $1 order by 1`,
    values: [account],
    rowMode: 'array',
  });
  return rows;
};

it('the keys of rows that a file does not have are counted to the last, and five of them are shown', async () => {
  await opened('metrics', ...[1, 2, 3, 4, 5, 6, 7].map((id): Row => [id, `m${id}`]));
  expect(await load('metrics', [[3, 'm3']])).toMatchObject({
    metrics: { missing: 6, missingKeys: [1, 2, 4, 5, 6].map((id) => `${account}/${id}`) },
  });
});

it('a name that its row gives up in the same file is free for another row', async () => {
  await opened('metrics', [1, 'a'], [2, 'b']);
  await load('metrics', [
    [1, 'c'],
    [2, 'a'],
  ]);
  expect(await named('metrics')).toEqual([
    [1, 'c'],
    [2, 'a'],
  ]);
});

const RENUMBERED: readonly Row[] = [
  [1, 'a'],
  [3, 'b'],
];

it('the name of a row that a load deletes is free for a new row, and without the deletion it is not', async () => {
  await opened('metrics', [1, 'a'], [2, 'b']);
  expect(await faultsOf(load('metrics', RENUMBERED))).toMatchObject([{ file: 'metrics.csv', line: 3 }]);
  expect(await load('metrics', RENUMBERED, true)).toMatchObject({ metrics: { inserted: 1, deleted: 1 } });
  expect(await named('metrics')).toEqual(RENUMBERED);
});

it('a vendor is never numbered anew in one load: its costs would be of the vendor that goes', async () => {
  await opened('vendors', [1, 'a'], [2, 'b']);
  for (const deleteMissing of [false, true])
    expect(await faultsOf(load('vendors', RENUMBERED, deleteMissing))).toMatchObject([
      { file: 'vendors.csv', line: 3, expected: expect.stringContaining('a value that no other row has; ') },
    ]);
  expect(await named('vendors')).toEqual([
    [1, 'a'],
    [2, 'b'],
  ]);
});
