import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import {
  type Files,
  company,
  costs,
  faultsOf,
  foundCompany,
  loadFiles,
  placedFaults,
} from '../load/folder.ts';

let database: TestDatabase;
let owner: Client;
beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
  await foundCompany(owner, 1);
});
afterAll(() => database.drop());

const faults = (files: Files, account?: bigint) =>
  placedFaults(loadFiles(database.url('cf_owner'), files, account === undefined ? {} : { account }));

const contains = (text: string): unknown => expect.stringContaining(text);
const INITIATIVES = 'account_id,id,title,stage';

const emails = (...rows: readonly string[]) => ({
  'user_emails.csv': ['user_id,email', ...rows, ''].join('\n'),
});

const TAKEN = 'a value that no other row has; change or delete the other row in an earlier load';

describe('a load is refused, naming the row, for', () => {
  it('rows of another account than the one named', async () => {
    expect(await faults({ 'initiatives.csv': `${INITIATIVES}\n1,5,a,live\n2,5,a,live\n` }, 1n)).toEqual([
      ['initiatives.csv:3 account_id=2', 'a row of account 1'],
      ['initiatives.csv:3 account_id=2', contains('accounts')],
    ]);
  });

  it('a figure that the ledger works out differently, in every file of the load', async () => {
    const header = 'account_id,id,initiative_id,amount_cents,currency,usd_amount_cents,source_type';
    expect(
      await faults({
        'cost_entries.csv': `${header}\n1,1,1,500,USD,500,manual\n1,2,1,500,USD,501,manual\n`,
        'value_entries.csv': `${header},status\n1,1,1,700,USD,699,manual,draft\n`,
      }),
    ).toEqual([
      ['cost_entries.csv:3 usd_amount_cents=501', contains('works out itself: 500')],
      ['value_entries.csv:2 usd_amount_cents=699', contains('works out itself: 700')],
    ]);
  });

  it('addresses that two people exchange, without repeating them', async () => {
    const url = database.url('cf_owner');
    const users = 'id,name\n71,Ada\n72,Bo\n';
    await loadFiles(url, { 'users.csv': users, ...emails('71,ada@acme.example', '72,bo@acme.example') });
    const found = await placedFaults(
      loadFiles(url, emails('71,bo@acme.example', '72,ada@acme.example'), { mode: 'upsert' }),
    );
    expect(found).toEqual([2, 3].map((line) => [`user_emails.csv:${line} email=(not shown)`, TAKEN]));
  });

  it('entries in a month that is locked, every one of them', async () => {
    const url = database.url('cf_owner');
    const months = 'account_id,id,month,status,locked_at\n2,1,2024-01-01,locked,2024-02-01T00:00:00Z\n';
    await foundCompany(owner, 2);
    await loadFiles(url, { 'accounting_months.csv': months });
    const rows = costs(2, [1, 5], [2, 5, '2024-02-01'], [3, 5], [4, 5, '2024-03-01']);
    expect(await faults({ 'cost_entries.csv': rows })).toEqual([
      [
        'cost_entries.csv:2 period_start=2024-01-10',
        'an open month; 2024-01 is locked: reopen it first (npx --no crossfoot month reopen 2024-01 --help)',
      ],
      [
        'cost_entries.csv:4 period_start=2024-01-10',
        'an open month; 2024-01 is locked: reopen it first (npx --no crossfoot month reopen 2024-01 --help)',
      ],
    ]);
  });

  it('what triggers refuse once all is written', async () => {
    const value = 'account_id,id,initiative_id,status,source_type,formula_version_id,input_snapshot';
    const snapshot = '"{""expression"":""a"",""inputs"":{""a"":{""observation_id"":77}}}"';
    expect(
      await faults({
        'formulas.csv': 'account_id,id,formula_key\n1,1,f\n',
        'formula_versions.csv': 'account_id,id,formula_id,version,name,expression\n1,1,1,1,F,a\n',
        'value_entries.csv': `${value}\n1,1,1,draft,manual,,{}\n1,2,1,draft,calculated,1,${snapshot}\n`,
      }),
    ).toEqual([
      [
        'value_entries.csv:3 input_snapshot={"expression":"a","inputs":{"a":{"observation_id":77}}}',
        contains('observation 77'),
      ],
    ]);
    expect(
      await faults({
        'shared_bills.csv': 'account_id,id,description,amount_cents,currency\n1,8,Cloud,100,USD\n',
        'allocation_lines.csv':
          'account_id,id,shared_bill_id,initiative_id,weight,amount_cents\n1,1,8,1,1,99\n',
      }),
    ).toEqual([[contains('shared_bills.csv:2 '), contains('add up to 99 cents')]]);
  });

  it('rows that break a rule of their table, in the words of the rule', async () => {
    const readings = 'account_id,id,metric_id,value,role,source_type,recorded_by_id';
    const budgets =
      'account_id,id,initiative_id,status,source,capex_cents,opex_cents,opex_cadence,currency,effective_from,ends_on';
    expect(
      await faults({
        'metrics.csv': 'account_id,id,metric_key,name\n1,1,m,M\n',
        'observations.csv': `${readings}\n1,1,1,5,baseline,time_study,11\n`,
        'initiatives.csv': `${INITIATIVES},roi_horizon_years\n1,5,A,live,0\n`,
        'budget_versions.csv': `${budgets}\n1,1,1,pending,manual,0,5,monthly,USD,2026-03-20,2026-03-10\n`,
      }),
    ).toEqual([
      [
        'budget_versions.csv:2 effective_from, ends_on=2026-03-20, 2026-03-10',
        "an ends_on that is not before effective_from, in one month too; to end a budget with its first month, give the month's last day",
      ],
      [
        'initiatives.csv:2 roi_horizon_years=0',
        '1 to 50 years, or an empty cell for a plan without a horizon',
      ],
      [
        'observations.csv:2 source_type, recorded_by_id=time_study, 11',
        'an empty recorded_by_id: only a manual, assistant or csv reading was recorded by a person',
      ],
    ]);
    const recorded = 'account_id,id,initiative_id,amount_cents,currency,source_type,recorded_by_id';
    expect(await faults({ 'cost_entries.csv': `${recorded}\n1,9,1,5,USD,system,11\n` })).toEqual([
      [
        'cost_entries.csv:2 source_type, recorded_by_id=system, 11',
        contains('an empty recorded_by_id: only'),
      ],
    ]);
  });

  it('rows that a computed column cannot read, each by its line', async () => {
    const header = 'account_id,id,initiative_id,status,source_type,formula_version_id,input_snapshot';
    const bad = '"{""inputs"":{""a"":{""observation_id"":""x""}}}"';
    const rows = Array.from({ length: 20 }, (_, index) => `1,${index},1,draft,manual,,{}`);
    rows[6] = `1,6,1,draft,calculated,1,${bad}`;
    rows[13] = `1,13,1,draft,calculated,1,${bad}`;
    const found = await faultsOf(
      loadFiles(database.url('cf_owner'), { 'value_entries.csv': [header, ...rows, ''].join('\n') }),
    );
    // The header is line 1, so the row at place 6 is line 8 and the one at place 13 is line 15.
    expect(found).toMatchObject([
      { file: 'value_entries.csv', line: 8, expected: contains('bigint') },
      { file: 'value_entries.csv', line: 15, expected: contains('bigint') },
    ]);
  });

  it('a row that would go with another that is deleted', async () => {
    const url = database.url('cf_owner');
    await foundCompany(owner, 4);
    await loadFiles(url, {
      'initiative_notes.csv': 'account_id,id,initiative_id,body\n4,1,1,A\n4,2,2,B\n',
    });
    const files = {
      'initiatives.csv': `${INITIATIVES}\n4,2,Support,live\n`,
      'initiative_notes.csv': 'account_id,id,body\n4,1,A\n4,2,B\n',
    };
    const found = await placedFaults(loadFiles(url, files, { mode: 'upsert', deleteMissing: true }));
    expect(found.map(([at]) => at)).toEqual(['initiative_notes.csv:2 account_id, id=4, 1']);
  });

  it('deleting a row that others still name', async () => {
    const url = database.url('cf_owner');
    await loadFiles(url, {
      ...company(5),
      'users.csv': 'id,name\n51,Ada\n52,Grace\n',
      'memberships.csv': 'account_id,id,user_id,role\n5,1,51,owner\n5,2,52,member\n',
      'initiatives.csv': `${INITIATIVES},owner_id\n5,1,A,live,52\n`,
    });
    const files = { 'memberships.csv': 'account_id,id,user_id,role\n5,1,51,owner\n' };
    const found = await faultsOf(loadFiles(url, files, { mode: 'upsert', deleteMissing: true }));
    expect(found).toEqual([
      {
        file: 'memberships.csv',
        line: null,
        column: 'account_id, user_id',
        value: '5, 52',
        expected: 'a row that initiatives still names',
      },
    ]);
  });
});
