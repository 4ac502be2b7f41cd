import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSqlFiles } from '../../../src/ledger/migrate/files.ts';
import { SCHEMA_FOLDER } from '../../../src/ledger/schema-folder.ts';
import { sourceTables } from '../../../src/ledger/moment/source-tables.ts';
import { tableSelect } from '../../../src/ledger/moment/table-select.ts';
import { FILE_SETS } from '../../../src/tables/file-sets.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { snapshotViews } from '../../support/snapshot-views.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

test('the tables locked for a build are those that its views, selects and control totals read', async () => {
  const owner = await database.client('cf_owner');
  // PostgreSQL itself says what a view reads, so each select becomes one for the length of this test.
  const tables = FILE_SETS.flatMap((set) => [...set.tables]);
  for (const { name } of tables.filter(({ from }) => from !== null)) {
    const select = tableSelect(name, { account_id: 1n, generated_at: 0n });
    await owner.query(`create view reporting."select ${name}" as ${select}`);
  }
  const { rows } = await owner.query<{ name: string }>(
    `select distinct d.refobjid::regclass::text as name
    from pg_rewrite r
    join pg_class v on v.oid = r.ev_class and v.relnamespace = 'reporting'::regnamespace
      and (v.relname like 'select %' or v.relname = any($1))
    join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid and d.refclassid = 'pg_class'::regclass
    join pg_class t on t.oid = d.refobjid and t.relkind = 'r'`,
    [await snapshotViews(tables)],
  );
  const controls = await Promise.all(
    FILE_SETS.flatMap(({ control }) => control ?? []).map((folder) =>
      readSqlFiles(join(SCHEMA_FOLDER, folder)),
    ),
  );
  const controlled = controls.flat().flatMap(({ text }) => text.match(/\bledger\.[a-z_]+/g) ?? []);
  // Row security of `users` reads memberships on behalf of every reader of users.
  const read = new Set([...rows.map(({ name }) => name), ...controlled, 'ledger.memberships']);
  expect(await sourceTables()).toEqual([...read].toSorted());
});
