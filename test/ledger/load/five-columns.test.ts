import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { type Founded, foundAccount } from '../../support/ledger-rows.ts';
import { loadFiles } from './folder.ts';

let database: TestDatabase;
let home: Founded;
beforeAll(async () => {
  database = await createDatabase();
  home = await foundAccount(await database.client('cf_owner'));
});
afterAll(() => database.drop());

const load = (files: Readonly<Record<string, string>>) =>
  loadFiles(database.url('cf_owner'), files, { mode: 'upsert', account: home.account });
const sources = async (): Promise<unknown> => {
  const pool = database.pool('cf_owner', 1);
  const { rows } = await pool.query(
    'select load_ref as ref, source_type as type from ledger.cost_entries where account_id = $1 order by 1',
    [home.account],
  );
  return rows;
};

it('a bill of five columns loads: its rows come from a file, unless the file says otherwise', async () => {
  await load({
    'initiatives.csv': 'source_ref,title,stage\nJ,Mail,live\n',
    'cost_entries.csv': 'source_ref,initiative_ref,amount,currency,period_start\na,J,1.00,USD,2026-03\n',
  });
  await load({
    'cost_entries.csv':
      'source_ref,initiative_ref,amount,currency,source_type\nb,J,1.00,USD,manual\nc,J,1.00,USD,\n',
  });
  const expected = [
    { ref: 'a', type: 'csv' },
    { ref: 'b', type: 'manual' },
    { ref: 'c', type: 'csv' },
  ];
  expect(await sources()).toEqual(expected);
  // A later file without the column changes none.
  await load({ 'cost_entries.csv': 'source_ref,initiative_ref,amount,currency\nb,J,2.00,USD\n' });
  expect(await sources()).toEqual(expected);
});

it('a month of accounting_months.csv that is written as 2026-03 is closed', async () => {
  await load({
    'accounting_months.csv':
      'source_ref,month,status,locked_at\n2026-03,2026-03,locked,2026-04-02T09:00:00Z\n',
  });
  const pool = database.pool('cf_owner', 1);
  const { rows } = await pool.query(
    'select month::text, status from ledger.accounting_months where account_id = $1',
    [home.account],
  );
  expect(rows).toEqual([{ month: '2026-03-01', status: 'locked' }]);
});
