import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Client } from 'pg';
import { fileColumns, hasLoadRef } from '../../../src/ledger/staging/spellings.ts';
import { readCatalogue, tableName } from '../../../src/ledger/staging/catalogue.ts';
import type { LoadTable } from '../../../src/ledger/staging/load-table.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { fillAccount } from '../../support/full-account.ts';
import { foundAccount, insert } from '../../support/ledger-rows.ts';
import { type Files, loadFiles } from '../load/folder.ts';

// What the ledger writes itself, and what only an id can say: the frozen inputs name readings by id.
const LEFT_OUT = [
  'updated_at',
  'load_source',
  'load_ref',
  'id',
  'source_ref',
  'account_id',
  'input_snapshot',
];
const SET_BY_LEDGER = [
  'cost_entries.vendor_id',
  'value_entries.approval_decision_id',
  // An approved entry of a formula needs its frozen inputs.
  'value_entries.formula_version_id',
  'value_entries.source_type',
  // A file of usage has no cost: the bill has it.
  'usage.billed_cost',
  'usage.effective_cost',
  'usage.list_cost',
  'usage.priced_cost',
  'usage.cost_cents',
  'usage.superseded',
];

let database: TestDatabase;
let owner: Client;
beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
});
afterAll(() => database.drop());

const line = (row: readonly (string | null)[]): string =>
  row
    .map((cell) =>
      cell === 'NULL' ? '' : `"${cell?.slice(1, -1).replaceAll("''", "'").replaceAll('"', '""')}"`,
    )
    .join(',');

/** The rows of an account as a file without ids: each row and each reference has a name instead. */
async function fileOf(table: LoadTable, account: bigint): Promise<string> {
  const columns = table.columns
    .filter(
      ({ name, generated }) => generated === null && !LEFT_OUT.includes(name) && !name.startsWith('usd_'),
    )
    .filter(({ name }) => !SET_BY_LEDGER.includes(`${table.name}.${name}`))
    .map(({ name }) => {
      const spelling = table.spellings.find(
        ({ column, by }) => column === name && ['load_ref', 'email', 'key'].includes(by),
      );
      if (spelling?.by === 'email') {
        return [spelling.name, `(select e.email from vault.user_emails e where e.user_id = t.${name})`];
      }
      return spelling?.by === 'load_ref' ? [spelling.name, `'r' || t.${name}`] : [name, `t.${name}`];
    });
  const names = ['source_ref', ...columns.map(([name]) => name)];
  const cells = ["'r' || t.id", ...columns.map(([, cell]) => cell)].map(
    (cell) => `quote_nullable((${cell})::text)`,
  );
  const { rows } = await owner.query<{ cells: (string | null)[] }>({
    text: `select array[${cells.join(', ')}] as cells from ${tableName(table)} t where account_id = $1 order by id`,
    values: [account],
  });
  return [names.join(','), ...rows.map((row) => line(row.cells)), ''].join('\n');
}

it('every table whose rows have an account and an id is loaded by names, and unchanged the second time', async () => {
  const home = await foundAccount(owner);
  await owner.query("insert into vault.user_emails values ($1, 'ada@acme.example')", [home.person]);
  await fillAccount(owner, home);
  const copy = await insert(owner, 'ledger.accounts', {
    name: 'Copy',
    plan: 'business',
    plan_includes_api: true,
  });
  const tables = (await readCatalogue(owner)).filter((table) => hasLoadRef(table));
  const expected = tables.map(({ name }) => name);
  expect(expected.length).toBeGreaterThan(30);
  const files: Record<string, string> = {};
  for (const table of tables) {
    files[`${table.name}.csv`] = await fileOf(table, home.account);
    const names = fileColumns(table).map(({ name }) => name);
    expect([table.name, new Set(names).size]).toEqual([table.name, names.length]);
  }
  const load = (): ReturnType<typeof loadFiles> =>
    loadFiles(database.url('cf_owner'), files satisfies Files, {
      mode: 'upsert',
      account: copy,
      source: 'copy',
    });

  const first = await load();
  const second = await load();
  for (const name of expected) {
    expect([name, first[name]]).toMatchObject([name, { updated: 0, unchanged: 0 }]);
    const inserted = first[name]?.inserted;
    expect(inserted).toBeGreaterThan(0);
    expect([name, second[name]]).toMatchObject([
      name,
      { inserted: 0, updated: 0, unchanged: inserted, missing: 0 },
    ]);
  }
});
