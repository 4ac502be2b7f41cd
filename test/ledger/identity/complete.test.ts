import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { type Founded, addCost, foundAccount, insert, lockMonth } from '../../support/ledger-rows.ts';
import { type Files, faultsOf, loadFiles } from '../load/folder.ts';
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

const costs = (...refs: readonly string[]): Files => ({
  'cost_entries.csv': [
    'source_ref,initiative_ref,amount_cents,currency,period_start,source_type',
    ...refs.map((ref) => `${ref},J-1,1,USD,2026-05-01,csv`),
    '',
  ].join('\n'),
});
const refs = async (): Promise<readonly unknown[]> =>
  (
    await query(
      `select concat_ws(' ', account_id, load_source, load_ref) as ref from ledger.cost_entries
         where period_start = '2026-05-01' order by 1`,
    )
  ).map(({ ref }) => String(ref).replace(`${home.account} `, 'home ').replace(`${other.account} `, 'other '));

const entry = (ref: string): Files => ({
  'cost_entries.csv': `source_ref,initiative_ref,amount_cents,currency,source_type\n${ref}`,
});
const HEADER = 'initiative_id,amount_cents,currency,status,entry_type,period_start,source_type';
const row = (status: string): string => `${home.initiative},900,USD,${status},cost_savings,2026-06-01,csv`;
const approvals = (): Promise<readonly Record<string, unknown>[]> =>
  query(
    `select v.id, v.approved_by_id, v.approved_at, v.approval_source, d.source
       from reporting.value_entries v join ledger.approval_decisions d on d.account_id = v.account_id and d.subject_id = v.id
       where v.account_id = ${home.account} and v.period_start = '2026-06-01' order by v.id`,
  );

const withId = (id: number, columns: string, cells: string): Files => ({
  'value_entries.csv': `id,${HEADER}${columns}\n${id},${row('approved')}${cells}\n`,
});

describe('a load with --complete', () => {
  const initiatives = { 'initiatives.csv': 'source_ref,title,stage\nJ-1,Mail,live\n' };

  it('deletes rows of its own source, and no row of other sources, accounts and writers', async () => {
    const owner = await database.client('cf_owner');
    await addCost(owner, home, { period_start: '2026-05-01', period_end: null });
    for (const [founded, source] of [
      [home, 'books'],
      [home, 'cards'],
      [other, 'books'],
    ] as const) {
      await into(founded, { ...initiatives, ...costs('a', 'b') }, { source });
    }
    const before = await refs();
    const request = { source: 'books', complete: true, allowRemoval: true };
    const listed = await into(home, costs('b', 'c'), { source: 'books', dryRun: true });
    expect(listed['cost_entries']).toMatchObject({
      inserted: 1,
      unchanged: 1,
      deleted: 0,
      missing: 1,
      missingKeys: ['a'],
    });
    const tried = await into(home, costs('b', 'c'), { ...request, dryRun: true });
    expect(tried['cost_entries']).toMatchObject({ inserted: 1, unchanged: 1, deleted: 1, missing: 0 });
    expect(await refs()).toEqual(before);
    const loaded = await into(home, costs('b', 'c'), request);
    expect(loaded['cost_entries']).toEqual(tried['cost_entries']);
    expect(await refs()).toEqual(
      [
        'home',
        'home books b',
        'home books c',
        'home cards a',
        'home cards b',
        'other books a',
        'other books b',
      ].map((each) => (each === 'home' ? String(home.account) : each)),
    );
  });

  it('refuses a reference to a row that it deletes', async () => {
    const files = { 'initiatives.csv': 'source_ref,title,stage\nJ-2,Post,live\n', ...costs('b', 'c') };
    expect(await faultsOf(into(home, files, { source: 'books', complete: true }))).toMatchObject([
      {
        line: 2,
        column: 'initiative_ref',
        value: 'J-1',
        expected: 'a row of initiatives in the ledger or the files',
      },
      { line: 3 },
    ]);
  });

  it('takes a reference to a row of no source, which it never deletes', async () => {
    const header = 'source_ref,initiative_id,amount_cents,currency,source_type';
    const files = { ...initiatives, 'cost_entries.csv': `${header}\nd,${home.initiative},1,USD,csv\n` };
    expect(await into(home, files, { source: 'own', complete: true, dryRun: true })).toMatchObject({
      initiatives: { inserted: 1, deleted: 0 },
      cost_entries: { inserted: 1 },
    });
  });

  it('refuses to delete a row that rows of other sources or writers would be deleted with', async () => {
    const owner = await database.client('cf_owner');
    const files = {
      'initiatives.csv': 'source_ref,title,stage\nK-1,Old,live\nK-2,New,live\n',
      'vendors.csv': 'source_ref,name\nV,Vo\n',
    };
    await into(other, { ...files, ...entry('k,K-1,1,USD,csv\n') }, { source: 'plan' });
    const [old] = await query(`select id from ledger.initiatives where load_ref = 'K-1'`);
    const id = await addCost(owner, { ...other, initiative: old?.['id'] as bigint });
    const fewer = { 'initiatives.csv': 'source_ref,title,stage\nK-2,New,live\n', ...entry('') };
    const request = { source: 'plan', complete: true, allowRemoval: true };
    expect(await faultsOf(into(other, fewer, request))).toEqual([
      {
        file: 'initiatives.csv',
        line: null,
        column: 'source_ref',
        value: 'K-1',
        expected:
          'this row as before: --complete would delete rows of cost_entries with it (1); delete or move those first',
      },
    ]);
    await owner.query('delete from ledger.cost_entries where account_id = $1 and id = $2', [
      other.account,
      id,
    ]);
    expect(await into(other, fewer, request)).toMatchObject({
      initiatives: { deleted: 1 },
      cost_entries: { deleted: 1 },
    });
  });

  it('refuses to delete in a locked month, also as a dry run', async () => {
    await lockMonth(await database.client('cf_owner'), home.account, '2026-05-01');
    for (const dryRun of [true, false]) {
      expect(
        await faultsOf(
          into(home, costs('b'), { source: 'books', complete: true, allowRemoval: true, dryRun }),
        ),
      ).toMatchObject([
        {
          file: 'cost_entries.csv',
          line: null,
          expected:
            'an open month; 2026-05 is locked: reopen it first (npx --no crossfoot month reopen 2026-05 --help)',
        },
      ]);
    }
  });
});

describe('an approved value entry of a load', () => {
  it('gets one approval, by the person and at the moment that the file says, else by the first owner', async () => {
    const owner = await database.client('cf_owner');
    const person = await insert(owner, 'ledger.users', { name: 'Grace' });
    await owner.query('insert into vault.user_emails values ($1, $2)', [person, 'grace@acme.example']);
    await insert(owner, 'ledger.memberships', { account_id: home.account, user_id: person, role: 'owner' });
    const text =
      `source_ref,${HEADER},approved_by,approved_at\nw-1,${row('approved')},grace@acme.example,2026-06-30T12:00:00Z\n` +
      `w-2,${row('approved')},,\nw-3,${row('reviewed')},,\n`;
    expect((await into(home, { 'value_entries.csv': text }))['value_entries']).toMatchObject({
      inserted: 3,
      approvals: 2,
    });
    const [first, second] = await approvals();
    const noon = BigInt(Date.UTC(2026, 5, 30, 12)) * 1000n;
    expect(first).toMatchObject({
      approved_by_id: person,
      approved_at: noon,
      approval_source: 'direct',
      source: 'import',
    });
    expect(second).toMatchObject({
      approved_by_id: home.person,
      approval_source: 'direct',
      source: 'import',
    });
    const again = await into(home, { 'value_entries.csv': text.replace('reviewed', 'approved') });
    expect(again['value_entries']).toMatchObject({ updated: 1, unchanged: 2, approvals: 1 });
    expect(await approvals()).toHaveLength(3);
  });

  it('keeps its approval where a file of decisions does not have it', async () => {
    const header = 'id,subject_kind,subject_id,subject_title,decision,source,decided_at\n';
    const loaded = await into(home, { 'approval_decisions.csv': header }, { deleteMissing: true });
    expect(loaded['approval_decisions']).toMatchObject({ deleted: 0, missing: 0 });
    expect(await approvals()).toHaveLength(3);
  });

  it('gets no approval from a file with ids, unless the file says who approved it or when', async () => {
    expect(await into(home, withId(9001, '', ''))).toMatchObject({
      value_entries: { inserted: 1, approvals: 0 },
    });
    const said = withId(9002, ',approved_by_email', ',grace@acme.example');
    expect(await into(home, said)).toMatchObject({ value_entries: { inserted: 1, approvals: 1 } });
    const dated = withId(9003, ',approved_at', ',2026-06-30T12:00:00Z');
    expect(await into(home, dated)).toMatchObject({ value_entries: { inserted: 1, approvals: 1 } });
    const noon = BigInt(Date.UTC(2026, 5, 30, 12)) * 1000n;
    expect((await approvals()).at(-1)).toMatchObject({ id: 9003n, approved_at: noon, source: 'import' });
  });

  it('is approved by the first owner who is still there', async () => {
    const text = `source_ref,${HEADER}\nw-9,${row('approved')}\n`;
    await query(`update ledger.memberships set removed_at = now()
      where account_id = ${home.account} and user_id = ${home.person}`);
    expect(await into(home, { 'value_entries.csv': text })).toMatchObject({
      value_entries: { approvals: 1 },
    });
    const [owner] = await query(`select user_id from ledger.memberships
      where account_id = ${home.account} and role = 'owner' and removed_at is null`);
    expect((await approvals()).at(-1)).toMatchObject({ approved_by_id: owner?.['user_id'] });
    expect(owner?.['user_id']).not.toBe(home.person);
  });
});
