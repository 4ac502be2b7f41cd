import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { type Founded, addCost, foundAccount } from '../../support/ledger-rows.ts';
import { type Files, faultsOf, loadFiles, writers } from '../load/folder.ts';
import type { LoadRequest } from '../../../src/ledger/load/load.ts';

let database: TestDatabase;
let url: string;
let pool: Pool;
let home: Founded;
let other: Founded;
beforeAll(async () => {
  database = await createDatabase();
  url = database.url('cf_owner');
  pool = database.pool('cf_owner', 1);
  const owner = await database.client('cf_owner');
  home = await foundAccount(owner);
  other = await foundAccount(owner);
  for (const { person } of [home, other]) {
    await owner.query('insert into vault.user_emails values ($1, $2)', [person, `ada${person}@Acme.example`]);
  }
});
afterAll(() => database.drop());

async function query(text: string): Promise<readonly Record<string, unknown>[]> {
  return (await pool.query<Record<string, unknown>>(text)).rows;
}

type Request = Omit<LoadRequest, 'url' | 'paths' | 'mode'> & Partial<Pick<LoadRequest, 'mode'>>;
const into = (founded: Founded, files: Files, request: Request = {}) =>
  loadFiles(url, files, { mode: 'upsert', account: founded.account, ...request });

/** A spreadsheet of a company: two initiatives, a vendor, a metric, costs and value, and no integer id. */
const sheets = (person: bigint): Files => ({
  'initiatives.csv': `source_ref,title,stage,owner_email\nI-1,Quotes,live,ADA${person}@acme.example\nI-2,Claims,live,\n`,
  'vendors.csv': 'source_ref,name,is_ai\nV-1,Globex,true\n',
  'metrics.csv': 'source_ref,metric_key,name\nM-1,hours.saved,Hours\n',
  'observations.csv':
    'source_ref,metric_key,initiative_ref,value,role,source_type\nO-1,hours.saved,I-1,12,reading,csv\n',
  'cost_entries.csv':
    'source_ref,initiative_title,amount_cents,currency,period_start,source_type,vendor_name,notes\n' +
    'inv-1, quotes ,500,USD,2026-03-01,csv,globex,first\ninv-2,Claims,700,EUR,2026-03-01,csv,,\n',
  'value_entries.csv':
    'source_ref,initiative_ref,amount_cents,currency,status,entry_type,period_start,source_type,approved_by,approved_at\n' +
    `val-1,I-1,900,USD,approved,cost_savings,2026-03-01,csv,,\nval-2,I-2,100,USD,draft,cost_savings,2026-03-01,csv,,\n`,
});

const refused = async (table: string, header: string, request: Request = {}): Promise<readonly string[]> =>
  (await faultsOf(into(home, { [`${table}.csv`]: `${header}\n` }, request))).map(
    ({ column, expected }) => `${column}: ${expected}`,
  );

describe('files without ids', () => {
  it('name rows by source_ref, and references by ref, title, key and e-mail', async () => {
    const loaded = await into(home, sheets(home.person));
    expect(loaded['cost_entries']).toMatchObject({ inserted: 2, updated: 0 });
    expect(loaded['value_entries']).toMatchObject({ inserted: 2, approvals: 1 });
    expect(
      await query(
        `select c.load_source, c.load_ref, c.source_ref, i.title, i.owner_id, i.load_ref as initiative, v.load_ref as vendor
         from ledger.cost_entries c join ledger.initiatives i on (i.account_id, i.id) = (c.account_id, c.initiative_id)
         left join ledger.vendors v on (v.account_id, v.id) = (c.account_id, c.vendor_id)
         where c.account_id = ${home.account} order by c.id`,
      ),
    ).toEqual([
      {
        load_source: 'file',
        load_ref: 'inv-1',
        source_ref: 'inv-1',
        title: 'Quotes',
        owner_id: home.person,
        initiative: 'I-1',
        vendor: 'V-1',
      },
      {
        load_source: 'file',
        load_ref: 'inv-2',
        source_ref: 'inv-2',
        title: 'Claims',
        owner_id: null,
        initiative: 'I-2',
        vendor: null,
      },
    ]);
  });

  it('change nothing when they are loaded again', async () => {
    const before = await writers(pool, Number(home.account));
    const loaded = await into(home, sheets(home.person));
    for (const table of Object.values(loaded)) {
      expect(table).toMatchObject({ inserted: 0, updated: 0, deleted: 0, approvals: 0 });
    }
    expect(await writers(pool, Number(home.account))).toEqual(before);
  });

  it('keep what a column that is not in the file says, and clear what an empty cell clears', async () => {
    const costs = 'source_ref,initiative_ref,notes\ninv-1,I-1,\ninv-2,I-1,\n';
    const loaded = await into(home, { 'cost_entries.csv': costs });
    expect(loaded['cost_entries']).toMatchObject({ inserted: 0, updated: 2 });
    expect(
      await query(
        `select amount_cents, notes, vendor_name from ledger.cost_entries where account_id = ${home.account} order by id`,
      ),
    ).toEqual([
      { amount_cents: 500n, notes: null, vendor_name: 'globex' },
      { amount_cents: 700n, notes: null, vendor_name: null },
    ]);
  });

  it('never mix the names of two accounts, nor of two sources', async () => {
    const before = await writers(pool, Number(home.account));
    expect(await into(other, sheets(other.person))).toMatchObject({ initiatives: { inserted: 2 } });
    // Each account has rows of its own, and no id that was looked up in the other.
    expect(
      await query(`select from ledger.initiatives a join ledger.initiatives b using (id, load_ref)
        where a.account_id = ${home.account} and b.account_id = ${other.account}`),
    ).toEqual([]);
    expect(await into(other, sheets(other.person))).toMatchObject({
      initiatives: { inserted: 0, unchanged: 2 },
      cost_entries: { inserted: 0, unchanged: 2 },
    });
    expect(await faultsOf(into(other, sheets(other.person), { mode: 'insert' }))).toContainEqual({
      file: 'initiatives.csv',
      line: 2,
      column: 'account_id, source_ref',
      value: `${other.account}, I-1`,
      expected: 'a key that is not in the ledger yet',
    });
    expect(await writers(pool, Number(home.account))).toEqual(before);
    const cost =
      'source_ref,initiative_ref,amount_cents,currency,period_start,source_type\ninv-1,I-1,1,USD,2026-03-01,csv\n';
    const [fault] = await faultsOf(into(home, { 'cost_entries.csv': cost }, { source: 'books' }));
    expect(fault).toEqual({
      file: 'cost_entries.csv',
      line: 2,
      column: 'initiative_ref',
      value: 'I-1',
      expected:
        'the source_ref of a row of initiatives from the same source "books", in the files or the ledger',
    });
    const strangers = cost
      .replace('initiative_ref', 'initiative_title,recorded_by_email')
      .replace('I-1', `Quotes,ada${other.person}@acme.example`);
    expect(await faultsOf(into(home, { 'cost_entries.csv': strangers }))).toMatchObject([
      {
        column: 'recorded_by_email',
        expected: 'the e-mail address of a person of the account; npx --no crossfoot people invite adds one',
      },
    ]);
  });

  it('are refused with every name that nothing or several rows have', async () => {
    const titles = 'source_ref,title,stage\nT-1,Same,live\nT-2,SAME,live\n';
    const costs =
      'source_ref,initiative,amount_cents,currency,source_type,recorded_by_email\n' +
      'a,same,1,USD,csv,\nb,Nothing,1,USD,csv,\nb,Quotes,1,USD,csv,\n,Quotes,1,USD,csv,\n';
    const title = 'the title of exactly one initiative of the account';
    const twice = {
      line: 2,
      column: 'initiative',
      value: 'same',
      expected: `${title}; 2 have it: name the row another way`,
    };
    const nowhere = {
      line: 3,
      column: 'initiative',
      value: 'Nothing',
      expected: `${title}; add a row for it to initiatives.csv`,
    };
    expect(
      await faultsOf(into(home, { 'initiatives.csv': titles, 'cost_entries.csv': costs })),
    ).toMatchObject([
      twice,
      nowhere,
      {
        line: 4,
        column: 'source_ref',
        value: 'b',
        expected: 'a name of its own for each row; line 3 has the same',
      },
      { line: 5, column: 'source_ref', value: null },
    ]);
    const named = costs.replace('\nb,Q', '\nc,Q').replace('\n,Q', '\nd,Q');
    expect(
      await faultsOf(into(home, { 'initiatives.csv': titles, 'cost_entries.csv': named })),
    ).toMatchObject([twice, nowhere]);
    expect(await query(`select from ledger.initiatives where load_ref = 'T-1'`)).toEqual([]);
  });

  it('are refused with a column that says the same as another, or that the ledger decides', async () => {
    expect(await refused('initiatives', 'title')).toEqual([
      'source_ref: this column with a name of your own for each row, by which a later load finds it again; or id',
    ]);
    expect(await refused('initiatives', 'id,source_ref')).toEqual([
      'source_ref: id or source_ref, not both: each is the key of a row',
    ]);
    expect(
      await refused('cost_entries', 'source_ref,initiative_id,initiative_ref,usd_rate,load_source'),
    ).toEqual([
      'initiative_ref: initiative_id or initiative_ref, not both: they say the same',
      'usd_rate: to be left out: the ledger computes dollars from published rates',
      'load_source: to be left out: --source says where the files come from',
    ]);
    expect(await refused('value_entries', 'source_ref,approval_decision_ref')).toEqual([
      'approval_decision_ref: to be left out: it follows the approval decisions',
    ]);
    expect(await refused('vendors', 'id,name', { complete: true })).toEqual([
      'id: source_ref instead of id: --complete deletes rows of its own source only',
    ]);
    expect(await refused('vendors', 'source_ref,name', { deleteMissing: true })).toEqual([
      'source_ref: id instead of source_ref with --delete-missing; or --complete, which deletes rows of its source',
    ]);
  });

  it('get ids that no row has, although a writer gave ids past the sequence', async () => {
    const [row] = await query(`select last_value + 1 as next from ledger.cost_entries_id_seq`);
    const next = row?.['next'] as bigint;
    const owner = await database.client('cf_owner');
    await addCost(owner, home, { id: next, notes: 'by hand' });
    const cost = 'source_ref,initiative_ref,amount_cents,currency,source_type\ninv-3,I-1,9,USD,csv\n';
    expect(await into(home, { 'cost_entries.csv': cost })).toMatchObject({ cost_entries: { inserted: 1 } });
    expect(
      await query(
        `select id, notes from ledger.cost_entries where account_id = ${home.account} and id = ${next}`,
      ),
    ).toEqual([{ id: next, notes: 'by hand' }]);
  });

  it('name the vendor that a cost made, and rows of their own file', async () => {
    const costs =
      'source_ref,initiative_ref,amount_cents,currency,source_type,vendor_name\ninv-9,I-1,9,USD,csv,Initech\n';
    await into(home, { 'cost_entries.csv': costs });
    const [made] = await query(
      `select id, updated_at from ledger.vendors where account_id = ${home.account} and name = 'Initech'`,
    );
    const vendors = 'source_ref,name,merged_into\nV-8,initech gmbh,\nV-9,INITECH,Initech GmbH\n';
    expect(await into(home, { 'vendors.csv': vendors })).toMatchObject({
      vendors: { inserted: 1, updated: 1 },
    });
    expect(await into(home, { 'vendors.csv': vendors })).toMatchObject({ vendors: { unchanged: 2 } });
    expect(
      await query(
        `select v.id, v.load_ref, s.load_ref as survivor from ledger.vendors v
         join ledger.vendors s on (s.account_id, s.id) = (v.account_id, v.merged_into_id) where v.account_id = ${home.account}`,
      ),
    ).toEqual([{ id: made?.['id'], load_ref: 'V-9', survivor: 'V-8' }]);
  });

  it('make a vendor in the spelling of the first line that names it', async () => {
    const header = 'source_ref,initiative_ref,amount_cents,currency,source_type,vendor_name';
    const rows = ['Hooli', 'HOOLI', 'hooli'].map((name, index) => `h-${index},I-1,9,USD,csv,${name}`);
    await into(home, { 'cost_entries.csv': [header, ...rows, ''].join('\n') });
    expect(
      await query(
        `select name from ledger.vendors where account_id = ${home.account} and lower(name) = 'hooli'`,
      ),
    ).toEqual([{ name: 'Hooli' }]);
  });

  it('name people by addresses in the same load, and are not blamed for a file that cannot be read', async () => {
    const files = {
      'users.csv': 'id,name\n7001,Grace\n',
      'user_emails.csv': 'user_id,email\n7001,grace@acme.example\n',
      'memberships.csv': 'source_ref,user_email,role\nP-1,Grace@acme.example,member\n',
      'initiatives.csv': 'id,title,stage,owner_email\n7001,Hers,live,grace@acme.example\n',
    };
    await into(home, files);
    expect(await query('select owner_id from ledger.initiatives where id = 7001')).toEqual([
      { owner_id: 7001n },
    ]);
    const wrong = { ...sheets(home.person), 'initiatives.csv': 'source_ref,title,stage\nI-9,Late,soon\n' };
    expect(await faultsOf(into(home, wrong))).toMatchObject([{ file: 'initiatives.csv', line: 2 }]);
  });
});
