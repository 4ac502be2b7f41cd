import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { company, costs, faultsOf, foundCompany, lockedMonth, loadFiles, writers } from './folder.ts';

let database: TestDatabase;
let url: string;
let pool: Pool;
beforeAll(async () => {
  database = await createDatabase();
  url = database.url('cf_owner');
  pool = database.pool('cf_owner', 1);
});
afterAll(() => database.drop());

async function query(text: string): Promise<readonly Record<string, unknown>[]> {
  return (await pool.query<Record<string, unknown>>(text)).rows;
}

const secrets = (...rows: readonly string[]) => ({
  'connection_secrets.csv': ['account_id,connection_id,credentials', ...rows, ''].join('\n'),
});

const metrics = (...rows: readonly string[]) => ({
  'metrics.csv': ['account_id,id,metric_key,name,active', ...rows, ''].join('\n'),
});

const named = (ref: string) => ({
  'initiatives.csv': 'source_ref,title,stage\nJ,Mail,live\n',
  'cost_entries.csv': `source_ref,initiative_ref,amount,currency\n${ref},J,1.00,USD\n`,
});

const decisionRow = (id: number, title: string): string =>
  `16,${id},charter,1,${title},approved,direct,2024-01-20T00:00:00Z\n`;

const namedCost = (id: number, vendor: string): string =>
  `27,${id},1,500,USD,opex,manual,2026-05-01,${vendor}\n`;

describe('load in upsert mode', () => {
  const observations =
    'account_id,id,metric_id,initiative_id,value,role,source_type,dimensions\n10,1,1,1,1e3,reading,manual,"{ ""b"":1, ""a"":2 }"\n';
  const files = {
    ...company(10),
    'metrics.csv': 'account_id,id,metric_key,name\n10,1,hours,Hours\n',
    'observations.csv': observations,
    'vendors.csv': 'account_id,id,name\n10,5,Acme\n',
    'cost_entries.csv': costs(10, [1, 500], [2, 700]),
    'accounting_months.csv': lockedMonth(10, 'locked'),
  };

  it('writes nothing when the files say what the ledger has, also in a locked month', async () => {
    await loadFiles(url, files, { mode: 'upsert' });
    const before = await writers(pool, 10);
    const loaded = await loadFiles(url, files, { mode: 'upsert' });
    expect(await writers(pool, 10)).toEqual(before);
    for (const table of Object.values(loaded)) expect(table).toMatchObject({ inserted: 0, updated: 0 });
    expect(loaded['cost_entries']).toMatchObject({ unchanged: 2 });
  });

  it('changes only cells that differ in the columns of the file, and adds new rows', async () => {
    await foundCompany(pool, 11);
    await pool.query(`update ledger.initiatives set description = 'kept' where account_id = 11`);
    const support = { row: 'initiative 2' };
    const before = (await writers(pool, 11)).find((written) => written['row'] === support.row);
    const text = 'account_id,id,title,stage\n11,1,Renamed,live\n11,2,Support,live\n11,3,New,identified\n';
    const loaded = await loadFiles(url, { 'initiatives.csv': text }, { mode: 'upsert' });
    expect(loaded['initiatives']).toMatchObject({ inserted: 1, updated: 1, unchanged: 1, missing: 0 });
    expect(
      await query('select title, description from ledger.initiatives where account_id = 11 order by id'),
    ).toEqual([
      { title: 'Renamed', description: 'kept' },
      { title: 'Support', description: 'kept' },
      { title: 'New', description: null },
    ]);
    expect((await writers(pool, 11)).find((written) => written['row'] === support.row)).toEqual(before);
    expect(before).toMatchObject(support);
  });

  it('lists the rows missing from the file, and deletes them only with --delete-missing', async () => {
    for (const id of [12, 13]) await foundCompany(pool, id);
    await loadFiles(url, { 'cost_entries.csv': costs(12, [1, 5], [2, 6], [3, 7]) });
    await loadFiles(url, { 'cost_entries.csv': costs(13, [1, 5], [2, 6]) });
    const file = { 'cost_entries.csv': costs(12, [2, 6]) };
    const listed = await loadFiles(url, file, { mode: 'upsert' });
    expect(listed['cost_entries']).toMatchObject({ deleted: 0, missing: 2, missingKeys: ['12/1', '12/3'] });
    const deleted = await loadFiles(url, file, { mode: 'upsert', deleteMissing: true });
    expect(deleted['cost_entries']).toMatchObject({ deleted: 2, missing: 0, unchanged: 1 });
    expect(
      await query(
        'select account_id, id from ledger.cost_entries where account_id in (12, 13) order by 1, 2',
      ),
    ).toEqual([
      { account_id: 12n, id: 2n },
      { account_id: 13n, id: 1n },
      { account_id: 13n, id: 2n },
    ]);
  });

  it('finds the missing rows of every account of the file, and of no other', async () => {
    for (const id of [20, 21, 22]) {
      await foundCompany(pool, id);
      await loadFiles(url, { 'cost_entries.csv': costs(id, [1, 5], [2, 6]) });
    }
    const [, second = ''] = costs(21, [1, 5]).split(/\n(.*)/s);
    const own = { 'cost_entries.csv': costs(20, [1, 5]) + second };
    const listed = await loadFiles(url, own, { mode: 'upsert' });
    expect(listed['cost_entries']).toMatchObject({ missing: 2, missingKeys: ['20/2', '21/2'] });
    await loadFiles(url, own, { mode: 'upsert', deleteMissing: true });
    expect(
      await query(`select concat_ws('/', account_id, id) as key from ledger.cost_entries
        where account_id between 20 and 22 order by 1`),
    ).toEqual(['20/1', '21/1', '22/1', '22/2'].map((key) => ({ key })));
  });

  it('keeps rows of a table without sources with --complete, which --delete-missing deletes', async () => {
    await foundCompany(pool, 23);
    await loadFiles(url, {
      'platforms.csv': 'key,name,category\nbooks,Books,finance\n',
      'connections.csv': 'account_id,id,platform_key,status\n23,1,books,active\n23,2,books,active\n',
      ...secrets('23,1,a', '23,2,b'),
    });
    const complete = { mode: 'upsert', complete: true, allowRemoval: true } as const;
    expect(await loadFiles(url, secrets('23,1,a'), complete)).toMatchObject({
      connection_secrets: { deleted: 0, missing: 1 },
    });
    expect(await loadFiles(url, secrets('23,1,a'), { mode: 'upsert', deleteMissing: true })).toMatchObject({
      connection_secrets: { deleted: 1 },
    });
  });

  it('keeps the value of a row if the cell of a column with a default is empty', async () => {
    await foundCompany(pool, 24);
    await loadFiles(url, metrics('24,1,hours,Hours,false'));
    await loadFiles(url, metrics('24,1,hours,Hours worked,', '24,2,calls,Calls,'), { mode: 'upsert' });
    expect(await query('select name, active from ledger.metrics where account_id = 24 order by id')).toEqual([
      { name: 'Hours worked', active: false },
      { name: 'Calls', active: true },
    ]);
  });

  it('keeps a merged vendor that a cost names in other letters, or with blanks of Unicode at its ends', async () => {
    await foundCompany(pool, 27);
    await query(`with survivor as (insert into ledger.vendors (account_id, name) values (27, 'Survivor') returning id)
      insert into ledger.vendors (account_id, name, merged_into_id)
        select 27, name, id from survivor, (values ('Straße'), ('Acme'), ('Unnamed')) merged (name)`);
    const header =
      'account_id,id,initiative_id,amount_cents,currency,cost_category,source_type,period_start,vendor_name\n';
    await loadFiles(url, {
      'cost_entries.csv': `${header}${namedCost(1, 'STRASSE')}${namedCost(2, 'ACME\u00a0')}`,
    });
    const [survivor] = await query(
      `select id from ledger.vendors where name = 'Survivor' and account_id = 27`,
    );
    const file = `account_id,id,name\n27,${String(survivor?.['id'])},Survivor\n`;
    const loaded = await loadFiles(url, { 'vendors.csv': file }, { mode: 'upsert', deleteMissing: true });
    expect(loaded['vendors']).toMatchObject({ deleted: 1 });
    expect(await query('select name from ledger.vendors where account_id = 27 order by id')).toEqual(
      ['Survivor', 'Straße', 'Acme'].map((name) => ({ name })),
    );
  });

  it('never deletes people, nor misses those of other accounts', async () => {
    await foundCompany(pool, 14);
    const loaded = await loadFiles(
      url,
      { 'users.csv': 'id,name\n141,Ada\n' },
      { mode: 'upsert', deleteMissing: true },
    );
    expect(loaded['users']).toMatchObject({ unchanged: 1, deleted: 0, missing: 0 });
    expect(await query('select id from ledger.users where id = 121')).toEqual([{ id: 121n }]);
  });

  it('keeps an entry that moves away from a deleted initiative', async () => {
    await foundCompany(pool, 15);
    await loadFiles(url, { 'cost_entries.csv': costs(15, [1, 5]) });
    await loadFiles(
      url,
      {
        'initiatives.csv': 'account_id,id,title,stage\n15,2,Support,live\n',
        'cost_entries.csv': 'account_id,id,initiative_id\n15,1,2\n',
      },
      { mode: 'upsert', deleteMissing: true },
    );
    expect(
      await query('select initiative_id, amount_cents from ledger.cost_entries where account_id = 15'),
    ).toEqual([{ initiative_id: 2n, amount_cents: 5n }]);
    expect(await query('select id from ledger.initiatives where account_id = 15')).toEqual([{ id: 2n }]);
  });

  it('refuses to change or to delete rows that are written once', async () => {
    const header = 'account_id,id,subject_kind,subject_id,subject_title,decision,source,decided_at';
    await foundCompany(pool, 16);
    const same = { 'approval_decisions.csv': `${header}\n${decisionRow(1, 'A')}${decisionRow(2, 'B')}` };
    await loadFiles(url, same);
    expect((await loadFiles(url, same, { mode: 'upsert' }))['approval_decisions']).toMatchObject({
      unchanged: 2,
    });
    const other = { 'approval_decisions.csv': `${header}\n${decisionRow(1, 'A changed')}` };
    expect(await faultsOf(loadFiles(url, other, { mode: 'upsert', deleteMissing: true }))).toMatchObject([
      { file: 'approval_decisions.csv', line: null, column: 'account_id/id', value: '16/2' },
      { file: 'approval_decisions.csv', line: 2, column: 'subject_title', value: 'A changed' },
    ]);
  });

  it('marks a decision by its initiative, not by the other ledger’s mark', async () => {
    const files18 = {
      ...company(18),
      'initiatives.csv': 'account_id,id,title,stage,is_sample\n18,1,Demo,live,true\n',
      'portfolio_decisions.csv':
        'account_id,id,initiative_id,is_sample,subject_title,outcome,stage_before,stage_after,rationale,cash_value_cents,freed_capacity_cents,cost_to_date_cents,currency,decided_at\n' +
        '18,1,1,false,Demo,continue,live,live,Fine,0,0,0,USD,2024-05-01T00:00:00Z\n',
    };
    await loadFiles(url, files18);
    const again = await loadFiles(url, files18, { mode: 'upsert' });
    expect(again['portfolio_decisions']).toMatchObject({ unchanged: 1 });
    expect(await query('select is_sample from ledger.portfolio_decisions where account_id = 18')).toEqual([
      { is_sample: true },
    ]);
  });

  it('keeps a vendor that a cost entry made, though no file has it', async () => {
    const entries = costs(17, [1, 5])
      .replace('source_type', 'vendor_name,source_type')
      .replace('manual', 'Globex,manual');
    await foundCompany(pool, 17);
    const files17 = { 'vendors.csv': 'account_id,id,name\n17,9,Acme\n', 'cost_entries.csv': entries };
    await loadFiles(url, files17);
    await loadFiles(url, files17, { mode: 'upsert', deleteMissing: true });
    expect(await query('select name from ledger.vendors where account_id = 17 order by id')).toEqual([
      { name: 'Acme' },
      { name: 'Globex' },
    ]);
  });
});

describe('load in replace-account mode', () => {
  it('makes the account what the files say, tables without a file included, and leaves others alone', async () => {
    for (const id of [30, 31]) {
      await foundCompany(pool, id);
      await loadFiles(url, {
        'vendors.csv': `account_id,id,name\n${id},1,Acme\n`,
        'cost_entries.csv': costs(id, [1, 5]),
      });
    }
    const other = await writers(pool, 31);
    const loaded = await loadFiles(
      url,
      { ...company(30), 'initiatives.csv': 'account_id,id,title,stage\n30,2,Support,live\n30,3,New,live\n' },
      { mode: 'replace-account' },
    );
    expect(loaded['initiatives']).toMatchObject({ inserted: 1, unchanged: 1, deleted: 1 });
    expect(loaded['cost_entries']).toMatchObject({ deleted: 1 });
    expect(loaded['vendors']).toMatchObject({ deleted: 1 });
    expect(await query('select id from ledger.initiatives where account_id = 30 order by id')).toEqual([
      { id: 2n },
      { id: 3n },
    ]);
    expect(await writers(pool, 31)).toEqual(other);
  });

  it('leaves no row of another source, nor one without a source', async () => {
    await foundCompany(pool, 33);
    await loadFiles(url, { 'cost_entries.csv': costs(33, [1, 5]) });
    for (const source of ['books', 'cards'])
      await loadFiles(url, named('a'), { mode: 'upsert', account: 33n, source });
    await loadFiles(url, named('b'), { mode: 'replace-account', account: 33n, source: 'books' });
    for (const [table, load_ref] of [
      ['cost_entries', 'b'],
      ['initiatives', 'J'],
    ])
      expect(await query(`select load_source, load_ref from ledger.${table} where account_id = 33`)).toEqual([
        { load_source: 'books', load_ref },
      ]);
  });

  it('refuses rows of an account that it does not replace', async () => {
    const files = {
      ...company(32),
      'initiatives.csv': 'account_id,id,title,stage\n32,1,A,live\n31,9,B,live\n',
    };
    expect(await faultsOf(loadFiles(url, files, { mode: 'replace-account' }))).toMatchObject([
      {
        file: 'initiatives.csv',
        line: 3,
        column: 'account_id',
        value: '31',
        expected: 'a row of account 32',
      },
    ]);
  });

  it('requires an account', async () => {
    await expect(loadFiles(url, { 'users.csv': 'id\n' }, { mode: 'replace-account' })).rejects.toMatchObject({
      code: 'usage_invalid',
    });
  });
});
