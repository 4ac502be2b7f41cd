import * as fc from 'fast-check';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { company, costs, faultsOf, loadFiles } from './load-folder.ts';

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

/** Which transaction wrote each row of an account: equal before and after means that nothing was written. */
async function writers(account: number): Promise<readonly Record<string, unknown>[]> {
  return query(`
    select 'cost ' || id as row, xmin::text, updated_at from ledger.cost_entries where account_id = ${account}
    union all select 'value ' || id, xmin::text, updated_at from ledger.value_entries where account_id = ${account}
    union all select 'initiative ' || id, xmin::text, updated_at from ledger.initiatives where account_id = ${account}
    union all select 'observation ' || id, xmin::text, updated_at from ledger.observations where account_id = ${account}
    union all select 'account ' || id, xmin::text, updated_at from ledger.accounts where id = ${account}
    order by 1`);
}

const month = (account: number, status: string, at = '2024-02-01T00:00:00Z'): string =>
  `account_id,id,month,status,locked_at,reopened_at,reopen_reason\n${account},1,2024-01-01,${status},${at},${at},r\n`;

const decisionRow = (id: number, title: string): string =>
  `16,${id},charter,1,${title},approved,direct,2024-01-20T00:00:00Z\n`;

describe('load in insert mode', () => {
  it('brings in files that name each other, and says what came of each table', async () => {
    const files = { ...company(1), 'cost_entries.csv': costs(1, [1, 500], [2, 700]) };
    const loaded = await loadFiles(url, files);
    expect(loaded['cost_entries']).toEqual({
      table: 'cost_entries',
      inserted: 2,
      updated: 0,
      unchanged: 0,
      deleted: 0,
      missing: 0,
      missingKeys: [],
    });
    expect(
      await query(
        'select id, usd_amount_cents, cost_category from ledger.cost_entries where account_id = 1 order by id',
      ),
    ).toEqual([
      { id: 1n, usd_amount_cents: 500n, cost_category: 'opex' },
      { id: 2n, usd_amount_cents: 700n, cost_category: 'opex' },
    ]);
  });

  it('refuses keys that are there already', async () => {
    await loadFiles(url, company(2));
    const again = loadFiles(url, {
      'initiatives.csv': 'account_id,id,title,stage\n2,2,Again,live\n2,3,New,live\n',
    });
    expect(await faultsOf(again)).toEqual([
      {
        file: 'initiatives.csv',
        line: 2,
        column: 'account_id, id',
        value: '2, 2',
        expected: 'a key that is not in the ledger yet',
      },
    ]);
    expect(await query('select from ledger.initiatives where account_id = 2 and id = 3')).toEqual([]);
  });

  it('moves the sequence past the highest id, so that the next row of an application fits', async () => {
    await loadFiles(url, {
      ...company(3),
      'metrics.csv': 'account_id,id,metric_key,name\n3,41,hours,Hours\n',
    });
    expect(
      await query(
        `insert into ledger.metrics (account_id, metric_key, name) values (3, 'tickets', 'Tickets') returning id`,
      ),
    ).toEqual([{ id: 42n }]);
  });

  it('tells an empty cell from an empty text, and takes the default where a column cannot be empty', async () => {
    const documents = 'account_id,id,initiative_id,kind,title,format\n4,1,1,other,"",link\n';
    const initiatives = 'account_id,id,title,stage,description,hypothesis,is_sample\n4,1,A,live,"",,\n';
    await loadFiles(url, { ...company(4), 'initiatives.csv': initiatives, 'documents.csv': documents });
    expect(
      await query('select description, hypothesis, is_sample from ledger.initiatives where account_id = 4'),
    ).toEqual([{ description: '', hypothesis: null, is_sample: false }]);
    expect(await query('select title from ledger.documents where account_id = 4')).toEqual([{ title: '' }]);
  });

  it('lets the files leave out the account when it is named', async () => {
    await loadFiles(url, company(5));
    await loadFiles(url, { 'initiatives.csv': 'id,title,stage\n7,"No, account",live\n' }, { account: 5n });
    expect(await query('select account_id, title from ledger.initiatives where id = 7')).toEqual([
      { account_id: 5n, title: 'No, account' },
    ]);
  });

  it('brings a decision and the entry it approved, and points the one to the other', async () => {
    const value =
      'account_id,id,initiative_id,amount_cents,currency,status,entry_type,period_start,source_type';
    const decision =
      'account_id,id,subject_kind,subject_id,initiative_id,subject_title,decision,source,decided_at';
    await loadFiles(url, {
      ...company(6),
      'value_entries.csv': `${value}\n6,1,1,100,USD,approved,cost_savings,2024-01-01,manual\n`,
      'approval_decisions.csv': `${decision}\n6,9,value_entry,1,1,Saving,approved,direct,2024-01-20T12:00:00+02:00\n`,
    });
    expect(await query('select approval_decision_id from ledger.value_entries where account_id = 6')).toEqual(
      [{ approval_decision_id: 9n }],
    );
  });

  it('keeps any text as it was, whatever it holds', async () => {
    await loadFiles(url, company(7));
    const special = fc.constantFrom(
      '"',
      '""',
      ',',
      '\n',
      '\r\n',
      '\r',
      '\t',
      '\\',
      '\\N',
      '\\.',
      "'",
      ' ',
      '\u{1F9FE}',
      'é',
      '\uFEFF',
    );
    const text = fc
      .array(fc.oneof(special, fc.string({ unit: 'grapheme' })), { minLength: 1, maxLength: 8 })
      .map((parts) => parts.join('').replaceAll('\0', ''));
    const texts = fc.sample(text, { numRuns: 400, seed: 20240229 });
    const rows = texts.map((body, place) => `7,${place},1,"${body.replaceAll('"', '""')}"`);
    const file = ['account_id,id,initiative_id,body', ...rows, ''].join('\r\n');
    await loadFiles(url, { 'initiative_notes.csv': file });
    const kept = await query('select body from ledger.initiative_notes where account_id = 7 order by id');
    expect(kept.map((row) => row['body'])).toEqual(texts);
  });
});

describe('load in upsert mode', () => {
  const observations =
    'account_id,id,metric_id,initiative_id,value,role,source_type,dimensions\n10,1,1,1,1e3,reading,manual,"{ ""b"":1, ""a"":2 }"\n';
  const files = {
    ...company(10),
    'metrics.csv': 'account_id,id,metric_key,name\n10,1,hours,Hours\n',
    'observations.csv': observations,
    'vendors.csv': 'account_id,id,name\n10,5,Acme\n',
    'cost_entries.csv': costs(10, [1, 500], [2, 700]),
    'accounting_months.csv': month(10, 'locked'),
  };

  it('writes nothing when the files say what the ledger has, also in a locked month', async () => {
    await loadFiles(url, files, { mode: 'upsert' });
    const before = await writers(10);
    const loaded = await loadFiles(url, files, { mode: 'upsert' });
    expect(await writers(10)).toEqual(before);
    for (const table of Object.values(loaded)) expect(table).toMatchObject({ inserted: 0, updated: 0 });
    expect(loaded['cost_entries']).toMatchObject({ unchanged: 2 });
  });

  it('changes only what differs in the columns of the file, and adds what is new', async () => {
    await loadFiles(url, company(11));
    await pool.query(`update ledger.initiatives set description = 'kept' where account_id = 11`);
    const support = { row: 'initiative 2' };
    const before = (await writers(11)).find((written) => written['row'] === support.row);
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
    expect((await writers(11)).find((written) => written['row'] === support.row)).toEqual(before);
    expect(before).toMatchObject(support);
  });

  it('lists what is missing from the file, and deletes it only when told to', async () => {
    await loadFiles(url, { ...company(12), 'cost_entries.csv': costs(12, [1, 5], [2, 6], [3, 7]) });
    await loadFiles(url, { ...company(13), 'cost_entries.csv': costs(13, [1, 5], [2, 6]) });
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

  it('never deletes people, whom all accounts share', async () => {
    await loadFiles(url, company(14));
    const loaded = await loadFiles(
      url,
      { 'users.csv': 'id,name\n141,Ada\n' },
      { mode: 'upsert', deleteMissing: true },
    );
    expect(loaded['users']?.deleted).toBe(0);
    expect(loaded['users']?.missing).toBeGreaterThan(0);
  });

  it('keeps an entry that moves away from a deleted initiative', async () => {
    await loadFiles(url, { ...company(15), 'cost_entries.csv': costs(15, [1, 5]) });
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

  it('refuses to change or to delete what is written once', async () => {
    const header = 'account_id,id,subject_kind,subject_id,subject_title,decision,source,decided_at';
    await loadFiles(url, {
      ...company(16),
      'approval_decisions.csv': `${header}\n${decisionRow(1, 'A')}${decisionRow(2, 'B')}`,
    });
    const same = { 'approval_decisions.csv': `${header}\n${decisionRow(1, 'A')}${decisionRow(2, 'B')}` };
    expect((await loadFiles(url, same, { mode: 'upsert' }))['approval_decisions']).toMatchObject({
      unchanged: 2,
    });
    const other = { 'approval_decisions.csv': `${header}\n${decisionRow(1, 'A changed')}` };
    expect(await faultsOf(loadFiles(url, other, { mode: 'upsert', deleteMissing: true }))).toMatchObject([
      { file: 'approval_decisions.csv', line: null, column: 'account_id/id', value: '16/2' },
      { file: 'approval_decisions.csv', line: 2, column: 'subject_title', value: 'A changed' },
    ]);
  });

  it('keeps a vendor that a cost entry made, though no file has it', async () => {
    const entries = costs(17, [1, 5])
      .replace('source_type', 'vendor_name,source_type')
      .replace('manual', 'Globex,manual');
    const files17 = {
      ...company(17),
      'vendors.csv': 'account_id,id,name\n17,9,Acme\n',
      'cost_entries.csv': entries,
    };
    await loadFiles(url, files17);
    await loadFiles(url, files17, { mode: 'upsert', deleteMissing: true });
    expect(await query('select name from ledger.vendors where account_id = 17 order by id')).toEqual([
      { name: 'Acme' },
      { name: 'Globex' },
    ]);
  });
});

describe('a month that is locked', () => {
  it('comes in the same load as its entries', async () => {
    await loadFiles(url, {
      ...company(20),
      'cost_entries.csv': costs(20, [1, 5]),
      'accounting_months.csv': month(20, 'locked'),
    });
    expect(
      await query('select count(*)::int as entries from ledger.cost_entries where account_id = 20'),
    ).toEqual([{ entries: 1 }]);
  });

  it('is reopened before its entries change, and locked again after them', async () => {
    await loadFiles(url, {
      ...company(21),
      'cost_entries.csv': costs(21, [1, 5]),
      'accounting_months.csv': month(21, 'locked'),
    });
    const changed = { 'cost_entries.csv': costs(21, [1, 6]) };
    expect(await faultsOf(loadFiles(url, changed, { mode: 'upsert' }))).toMatchObject([
      { file: 'cost_entries.csv', line: 2, column: 'period_start', value: '2024-01-10' },
    ]);
    await loadFiles(url, { ...changed, 'accounting_months.csv': month(21, 'reopened') }, { mode: 'upsert' });
    const closed = { 'cost_entries.csv': costs(21, [1, 7]), 'accounting_months.csv': month(21, 'locked') };
    await loadFiles(url, closed, { mode: 'upsert' });
    expect(
      await query(
        `select amount_cents, status from ledger.cost_entries join ledger.accounting_months using (account_id) where account_id = 21`,
      ),
    ).toEqual([{ amount_cents: 7n, status: 'locked' }]);
  });

  it('refuses to have its entries deleted', async () => {
    await loadFiles(url, {
      ...company(22),
      'cost_entries.csv': costs(22, [1, 5], [2, 6, '2024-02-01']),
      'accounting_months.csv': month(22, 'locked'),
    });
    const shorter = loadFiles(
      url,
      { 'cost_entries.csv': costs(22, [2, 6, '2024-02-01']) },
      { mode: 'upsert', deleteMissing: true },
    );
    expect(await faultsOf(shorter)).toMatchObject([
      {
        file: 'cost_entries.csv',
        line: null,
        column: 'id',
        value: '1',
        expected: expect.stringContaining('2024-01 is locked'),
      },
    ]);
  });
});

describe('load in replace-account mode', () => {
  it('makes the account what the files say, tables without a file included, and leaves others alone', async () => {
    for (const id of [30, 31]) {
      await loadFiles(url, {
        ...company(id),
        'vendors.csv': `account_id,id,name\n${id},1,Acme\n`,
        'cost_entries.csv': costs(id, [1, 5]),
      });
    }
    const other = await writers(31);
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
    expect(await writers(31)).toEqual(other);
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

  it('wants to be told which account', async () => {
    await expect(loadFiles(url, { 'users.csv': 'id\n' }, { mode: 'replace-account' })).rejects.toMatchObject({
      code: 'usage_invalid',
    });
  });
});
