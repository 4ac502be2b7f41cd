import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { type Files, company, costs, loadFiles, placedFaults } from '../load/folder.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
  await loadFiles(database.url('cf_owner'), company(1));
});
afterAll(() => database.drop());

const faults = (files: Files, account?: bigint) =>
  placedFaults(loadFiles(database.url('cf_owner'), files, account === undefined ? {} : { account }));

const contains = (text: string): unknown => expect.stringContaining(text);
const INITIATIVES = 'account_id,id,title,stage';

describe('a load is refused, naming file, line, column and value, for', () => {
  it('a file named after no table, and a table that cannot be loaded', async () => {
    expect(
      await faults({ 'costs.csv': 'id\n1\n', 'access_tokens.csv': 'id\n1\n', 'Users.CSV': 'id\n' }),
    ).toEqual([
      ['Users.CSV:null null=Users.CSV', contains('table')],
      ['access_tokens.csv:null null=access_tokens.csv', contains('table')],
      ['costs.csv:null null=costs.csv', contains('table')],
    ]);
    expect(await faults({ 'cost_entrys.csv': 'id\n1\n', 'initiative.csv': 'id\n1\n' })).toEqual([
      ['cost_entrys.csv:null null=cost_entrys.csv', contains('did you mean cost_entries.csv?')],
      ['initiative.csv:null null=initiative.csv', contains('did you mean initiatives.csv?')],
    ]);
  });

  it('every stage at once: unreadable cells, rules, names and references of the other rows', async () => {
    const COSTS = 'source_ref,initiative_ref,amount_cents,currency,period_start,source_type,cost_category';
    const rows = [
      'C-1,I-1,12x,USD,2024-01-10,manual,opex', // a cell that is no number
      'C-2,I-1,100,USD,2024-01-10,manual', // too few cells
      'C-3,I-1,100,USD,2024-01-10,manuel,opex', // a rule
      'C-4,I-9,100,USD,2024-01-10,manual,opex', // a name of no row
      ',I-1,100,USD,2024-01-10,manual,opex', // no name of its own
      'C-6,I-1,100,USD,2024-01-10,manual,opex',
    ];
    const files = {
      'initiatives.csv': 'source_ref,title,stage\nI-1,Quotes,live\n',
      'cost_entries.csv': `${COSTS}\n${rows.join('\n')}\n`,
      'value_entries.csv':
        'source_ref,initiative_id,amount_cents,currency,status,entry_type,source_type\nV-1,99,1,USD,draft,capacity,manual\n',
    };
    expect((await faults(files, 1n)).map(([at]) => at)).toEqual([
      'cost_entries.csv:2 amount_cents=12x',
      'cost_entries.csv:3 cost_category=null',
      'cost_entries.csv:4 source_type=manuel',
      'cost_entries.csv:5 initiative_ref=I-9',
      'cost_entries.csv:6 source_ref=null',
      'value_entries.csv:2 initiative_id=99',
    ]);
  });

  it('no row that is right but names a row with a fault', async () => {
    const files = {
      'initiatives.csv': 'source_ref,title,stage\nI-1,Quotes,alive\nI-2,Notes,2024-99\nI-3,Mail,live\n',
      'cost_entries.csv':
        'source_ref,initiative_ref,amount_cents,currency,period_start,source_type\nC-1,I-1,1,USD,2024-01-10,manual\nC-2,I-2,1,USD,2024-01-10,manual\n',
      'initiative_notes.csv': 'source_ref,initiative_ref,author_email,body\nN-1,I-1,,A\n',
    };
    expect((await faults(files, 1n)).map(([at]) => at)).toEqual([
      'initiatives.csv:2 stage=alive',
      'initiatives.csv:3 stage=2024-99',
    ]);
    const unread = {
      ...files,
      'initiatives.csv': 'source_ref,title,stage,priority\nI-1,Quotes,live,high\nI-2,Notes,live,1\n',
    };
    expect((await faults(unread, 1n)).map(([at]) => at)).toEqual(['initiatives.csv:2 priority=high']);
  });

  it('a file without a header row', async () => {
    expect(await faults({ 'users.csv': '' })).toEqual([['users.csv:1 null=null', contains('header row')]]);
  });

  it('an unknown currency code, a test code, and a text that is not a code', async () => {
    const codes = ['XYZ', 'XTS', 'XXX', 'eur', 'EU', 'USD EUR', ''];
    const rows = codes.map((code, row) => `1,${row + 1},1,100,${code},2024-01-10,manual,opex\n`);
    const header =
      'account_id,id,initiative_id,amount_cents,currency,period_start,source_type,cost_category\n';
    const code = 'an ISO 4217 currency code, such as EUR';
    expect(await faults({ 'cost_entries.csv': `${header}${rows.join('')}` })).toEqual([
      ['cost_entries.csv:2 currency=XYZ', code],
      ['cost_entries.csv:3 currency=XTS', code],
      ['cost_entries.csv:4 currency=XXX', code],
      ['cost_entries.csv:5 currency=eur', code],
      ['cost_entries.csv:6 currency=EU', code],
      ['cost_entries.csv:7 currency=USD EUR', code],
      ['cost_entries.csv:8 currency=null', 'a value: this column is never empty'],
    ]);
  });

  it('unknown, repeated and missing columns, all at once', async () => {
    expect(
      await faults({ 'initiatives.csv': 'account_id,title,titel,,stage,stage,\n1,x,x,,live,live,\n' }),
    ).toEqual([
      ['initiatives.csv:1 titel=titel', 'a column of initiatives; did you mean title?'],
      ['initiatives.csv:1 null=null', 'a name for column 4, which the header leaves empty'],
      ['initiatives.csv:1 stage=stage', 'each column once'],
      ['initiatives.csv:1 source_ref=null', contains('a name of your own')],
    ]);
  });

  it('columns that the ledger keeps itself', async () => {
    expect(
      await faults({
        'cost_entries.csv': 'account_id,id,vendor_id,booked_month,updated_at\n',
        'value_entries.csv': 'account_id,id,approval_decision_id\n',
      }),
    ).toEqual([
      ['cost_entries.csv:1 vendor_id=vendor_id', contains('vendor_name')],
      ['cost_entries.csv:1 booked_month=booked_month', contains('computed')],
      ['cost_entries.csv:1 updated_at=updated_at', contains('stamped')],
      ['value_entries.csv:1 approval_decision_id=approval_decision_id', contains('approval decisions')],
    ]);
  });

  it('ragged rows, counted by the line on which each begins', async () => {
    const rows = '1,5,"two\r\nlines",live\r\n1,6,short\r\n\r\n1,7,long,live,extra\r\n\r\n';
    expect(await faults({ 'initiatives.csv': `${INITIATIVES}\r\n${rows}` })).toEqual([
      ['initiatives.csv:4 stage=null', '4 cells as in the header, found 3'],
      ['initiatives.csv:5 null=null', contains('rows may be empty only at the end')],
      ['initiatives.csv:6 null=extra', '4 cells as in the header, found 5'],
    ]);
  });

  it('bytes that are not UTF-8, wherever the chunks are cut', async () => {
    const head = Buffer.from(`${INITIATIVES}\n1,5,Caf\u00e9 \u{1F600},live\n1,6,`);
    const bad = Buffer.concat([head, Buffer.from([0x43, 0xe9]), Buffer.from(',live\n')]);
    expect(await faults({ 'initiatives.csv': bad })).toEqual([
      ['initiatives.csv:3 title=C\uFFFD', contains('text in UTF-8')],
    ]);
  });

  it('quotes that are left open, or stand inside a bare cell', async () => {
    expect(
      await faults({
        'initiatives.csv': `${INITIATIVES}\n1,5,"open,live\n1,6,b,live\n`,
        'users.csv': 'id,name\n7,A"b\n',
        'vendors.csv': 'account_id,id,name\n1,1,"a"b\n',
      }),
    ).toEqual([
      ['initiatives.csv:2 title=null', contains('closing quote before the end')],
      ['users.csv:2 name=null', contains('quote only at the beginning')],
      ['vendors.csv:2 name=null', contains('after a closing quote')],
    ]);
  });

  it('a character that PostgreSQL cannot store', async () => {
    expect(await faults({ 'users.csv': 'id,name\n7,a\0b\n' })).toEqual([
      ['users.csv:2 name=a\0b', contains('U+0000')],
    ]);
  });

  it('values of the wrong type, also those that PostgreSQL would guess at', async () => {
    const rows = [
      '1,x1,a,live,no,1,2024-01-01T00:00:00Z',
      '1,5,a,live,true,0x10,2024-01-01T00:00:00',
      '1,6,a,live,true,9007199254740992,now',
      '1,7,a,live,true,1.5,2024-02-30T00:00:00Z',
      '1,99999999999999999999,a,live,true,1,2024-01-01T00:00:00.1234567Z',
    ];
    const text = `${INITIATIVES},is_sample,planned_capex_cents,approved_at\n${rows.join('\n')}\n`;
    expect(await faults({ 'initiatives.csv': text })).toEqual([
      ['initiatives.csv:2 id=x1', 'a whole number'],
      ['initiatives.csv:2 is_sample=no', 'true or false; write false'],
      ['initiatives.csv:3 planned_capex_cents=0x10', 'a whole number'],
      ['initiatives.csv:3 approved_at=2024-01-01T00:00:00', contains('offset or Z')],
      [
        'initiatives.csv:4 planned_capex_cents=9007199254740992',
        'a whole number of cents, up to 9007199254740991',
      ],
      ['initiatives.csv:4 approved_at=now', contains('ISO 8601')],
      [
        'initiatives.csv:5 planned_capex_cents=1.5',
        'a whole number; name the column planned_capex to give it with decimals',
      ],
      ['initiatives.csv:5 approved_at=2024-02-30T00:00:00Z', contains('range')],
      ['initiatives.csv:6 id=99999999999999999999', contains('range of bigint')],
      ['initiatives.csv:6 approved_at=2024-01-01T00:00:00.1234567Z', contains('microsecond')],
    ]);
  });

  it('malformed days, decimals, figures and JSON', async () => {
    expect(
      await faults({
        'euro_reference_rates.csv':
          'day,currency,units_per_euro\n2024-01-02,usd,1.1\n1/2/24,USD,1.12345678901\n',
        'assumptions.csv': 'account_id,id,key,label,value,effective_from\n1,1,k,l,NaN,infinity\n',
        'cost_entries.csv': 'account_id,id,usd_rate\n1,1,1.00000000001\n',
        'value_entries.csv':
          'account_id,id,initiative_id,status,source_type,input_snapshot\n1,1,1,draft,manual,{a}\n',
      }),
    ).toEqual([
      ['assumptions.csv:2 value=NaN', 'a number'],
      ['assumptions.csv:2 effective_from=infinity', contains('YYYY-MM-DD')],
      [
        'cost_entries.csv:2 usd_rate=1.00000000001',
        'a decimal number with no more places than numeric(20,10) keeps',
      ],
      ['euro_reference_rates.csv:2 currency=usd', 'an ISO 4217 currency code, such as EUR'],
      ['euro_reference_rates.csv:3 day=1/2/24', contains('YYYY-MM-DD')],
      ['euro_reference_rates.csv:3 units_per_euro=1.12345678901', contains('numeric(20,10)')],
      ['value_entries.csv:2 input_snapshot={a}', 'JSON'],
    ]);
  });

  it('an empty cell, and a whole column left out, that must have a value', async () => {
    expect(
      await faults({
        'initiatives.csv': `${INITIATIVES}\n1,5,,live\n`,
        'metrics.csv': 'account_id,id,name\n1,1,M\n1,2,N\n',
      }),
    ).toEqual([
      ['initiatives.csv:2 title=null', contains('never empty')],
      ['metrics.csv:1 metric_key=null', 'this column, which every new row needs'],
    ]);
  });

  it('a key twice in a file, and another unique value twice', async () => {
    expect(
      await faults({
        'initiatives.csv': `${INITIATIVES}\n1,5,a,live\n1,6,b,live\n1,05,c,live\n`,
        'vendors.csv': 'account_id,id,name\n1,1,Acme\n1,2, ACME\n',
      }),
    ).toEqual([
      ['initiatives.csv:4 account_id, id=1, 05', contains('line 2 has the same')],
      ['vendors.csv:3 account_id, name_key=1, acme', contains('line 2 has the same')],
    ]);
  });

  it('a unique value that a row of the ledger has', async () => {
    expect(await faults({ 'memberships.csv': 'account_id,id,user_id,role\n1,9,11,viewer\n' })).toEqual([
      ['memberships.csv:2 account_id, user_id=1, 11', contains('1/1 has it')],
    ]);
  });

  it('broken check constraints, of one column and of several', async () => {
    const header = 'account_id,id,initiative_id,amount_cents,currency,period_start,period_end,source_type';
    expect(
      await faults({
        'initiatives.csv': `${INITIATIVES}\n1,5,a,lively\n`,
        'cost_entries.csv': `${header}\n1,1,1,5,USD,2024-02-01,2024-01-31,manual\n`,
      }),
    ).toEqual([
      [
        'cost_entries.csv:2 period_start, period_end=2024-02-01, 2024-01-31',
        'period_end not before period_start',
      ],
      [
        'initiatives.csv:2 stage=lively',
        'one of identified, reviewing, implementing, live, paused, completed, rejected, dismissed',
      ],
    ]);
  });

  it('keys that name nothing in the ledger or the files', async () => {
    expect(
      await faults({
        'initiatives.csv': `${INITIATIVES},owner_id\n1,5,a,live,11\n1,6,a,live,12\n`,
        'initiative_notes.csv':
          'account_id,id,initiative_id,body\n1,1,5,in the files\n1,2,1,in the ledger\n1,3,7,nowhere\n',
      }),
    ).toEqual([
      ['initiative_notes.csv:4 initiative_id=7', 'a row of initiatives in the ledger or the files'],
      ['initiatives.csv:3 owner_id=12', 'a row of memberships in the ledger or the files'],
    ]);
  });

  it('secrets too, without repeating them', async () => {
    expect(
      await faults({
        'connection_secrets.csv': 'account_id,connection_id,credentials,settings\n1,1,s3cret,{s3cret\n',
      }),
    ).toEqual([['connection_secrets.csv:2 settings=(not shown)', 'JSON']]);
  });
});

it('the check of a load stops at a hundred faults', async () => {
  const rows = Array.from({ length: 250 }, (_, index) => `1,${index + 10},a,lively`);
  const found = await faults({ 'initiatives.csv': `${INITIATIVES}\n${rows.join('\n')}\n` });
  expect(found).toHaveLength(100);
});

it('a load writes nothing when one file of several is wrong', async () => {
  const files = { ...company(3), 'cost_entries.csv': costs(3, [1, 5], [2, 5, '2024-13-01']) };
  expect(await faults(files)).toHaveLength(1);
  const { rows } = await database.pool('cf_owner', 1).query('select from ledger.accounts where id = 3');
  expect(rows).toEqual([]);
});
