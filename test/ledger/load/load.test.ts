import * as fc from 'fast-check';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { company, costs, faultsOf, foundCompany, lockedMonth, loadFiles } from './folder.ts';

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
      approvals: 0,
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
    await foundCompany(pool, 2);
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
    await foundCompany(pool, 3);
    await loadFiles(url, { 'metrics.csv': 'account_id,id,metric_key,name\n3,41,hours,Hours\n' });
    expect(
      await query(
        `insert into ledger.metrics (account_id, metric_key, name) values (3, 'tickets', 'Tickets') returning id`,
      ),
    ).toEqual([{ id: 42n }]);
    // A smaller id moves it nowhere: an id of a deleted row is never used again.
    await loadFiles(url, { 'metrics.csv': 'account_id,id,metric_key,name\n3,7,calls,Calls\n' });
    expect(
      await query(
        `insert into ledger.metrics (account_id, metric_key, name) values (3, 'visits', 'Visits') returning id`,
      ),
    ).toEqual([{ id: 43n }]);
  });

  it('takes an empty text for an empty cell in an optional column, and uses the default where a column cannot be null', async () => {
    const documents = 'account_id,id,initiative_id,kind,title,format\n4,1,1,other,"",link\n';
    const initiatives = 'account_id,id,title,stage,description,hypothesis,is_sample\n4,1,A,live,""," ",\n';
    await loadFiles(url, { ...company(4), 'initiatives.csv': initiatives, 'documents.csv': documents });
    expect(
      await query('select description, hypothesis, is_sample from ledger.initiatives where account_id = 4'),
    ).toEqual([{ description: null, hypothesis: null, is_sample: false }]);
    expect(await query('select title from ledger.documents where account_id = 4')).toEqual([{ title: '' }]);
  });

  it.each(['2024-01-31T24:00:00Z', '2024-01-31T23:60:00Z', '2024-01-31T23:59:60Z', '2024-01-31T23:59:59'])(
    'refuses the time %s, which PostgreSQL would take for a moment of another day or zone',
    async (time) => {
      const text = costs(2, [1, 500]).replace('2024-01-15T00:00:00Z', time);
      expect(await faultsOf(loadFiles(url, { 'cost_entries.csv': text }))).toMatchObject([
        {
          line: 2,
          column: 'created_at',
          value: time,
          expected: expect.stringContaining('ISO 8601') as string,
        },
      ]);
    },
  );

  it('lets the files leave out the account when it is named', async () => {
    await foundCompany(pool, 5);
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

  it('keeps any text unchanged', async () => {
    await foundCompany(pool, 7);
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
    const rows = texts.map((body, index) => `7,${index},1,"${body.replaceAll('"', '""')}"`);
    const file = ['account_id,id,initiative_id,body', ...rows, ''].join('\r\n');
    await loadFiles(url, { 'initiative_notes.csv': file });
    const kept = await query('select body from ledger.initiative_notes where account_id = 7 order by id');
    expect(kept.map((row) => row['body'])).toEqual(texts);
  });
});

describe('a month that is locked', () => {
  it('comes in the same load as its entries', async () => {
    await loadFiles(url, {
      ...company(20),
      'cost_entries.csv': costs(20, [1, 5]),
      'accounting_months.csv': lockedMonth(20, 'locked'),
    });
    expect(
      await query('select count(*)::int as entries from ledger.cost_entries where account_id = 20'),
    ).toEqual([{ entries: 1 }]);
  });

  it('is reopened before its entries change, and locked again after them', async () => {
    await foundCompany(pool, 21);
    await loadFiles(url, {
      'cost_entries.csv': costs(21, [1, 5]),
      'accounting_months.csv': lockedMonth(21, 'locked'),
    });
    const changed = { 'cost_entries.csv': costs(21, [1, 6]) };
    expect(await faultsOf(loadFiles(url, changed, { mode: 'upsert' }))).toMatchObject([
      { file: 'cost_entries.csv', line: 2, column: 'period_start', value: '2024-01-10' },
    ]);
    await loadFiles(
      url,
      { ...changed, 'accounting_months.csv': lockedMonth(21, 'reopened') },
      { mode: 'upsert' },
    );
    const closed = {
      'cost_entries.csv': costs(21, [1, 7]),
      'accounting_months.csv': lockedMonth(21, 'locked'),
    };
    await loadFiles(url, closed, { mode: 'upsert' });
    expect(
      await query(
        `select amount_cents, status from ledger.cost_entries join ledger.accounting_months using (account_id) where account_id = 21`,
      ),
    ).toEqual([{ amount_cents: 7n, status: 'locked' }]);
  });

  it('refuses to have its entries deleted', async () => {
    await foundCompany(pool, 22);
    await loadFiles(url, {
      'cost_entries.csv': costs(22, [1, 5], [2, 6, '2024-02-01']),
      'accounting_months.csv': lockedMonth(22, 'locked'),
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
