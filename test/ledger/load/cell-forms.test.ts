/** Which texts a load takes for a value of each type, on both sides of each limit, and in which order it writes tables. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inKeyOrder } from '../../../src/ledger/load/order.ts';
import type { LoadProgress } from '../../../src/ledger/load/files.ts';
import type { LoadTable } from '../../../src/ledger/staging/load-table.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { costs, foundCompany, loadFiles, placedFaults } from './folder.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
  const owner = await database.client('cf_owner');
  for (const id of [1, 2]) await foundCompany(owner, id);
  await owner.query(
    `insert into ledger.metrics (account_id, id, metric_key, name) values (1, 1, 'hours', 'Hours')`,
  );
});
afterAll(() => database.drop());

const COLUMNS = [
  'value',
  'sample_size',
  'is_estimated',
  'period_start',
  'observed_at',
  'dimensions',
] as const;
type Column = (typeof COLUMNS)[number];
const CELLS: Readonly<Record<Column, string>> = {
  value: '1',
  sample_size: '1',
  is_estimated: 'true',
  period_start: '2024-01-01',
  observed_at: '2024-01-01T00:00:00Z',
  dimensions: '{}',
};
/** A file of observations, one for each text in this column. */
const fileOf = (column: Column, texts: readonly string[]) => ({
  'observations.csv': [
    `account_id,id,metric_id,initiative_id,role,source_type,${COLUMNS.join()}`,
    ...texts.map((text, index) => {
      const cells = COLUMNS.map(
        (name) => `"${(name === column ? text : CELLS[name]).replaceAll('"', '""')}"`,
      );
      return `1,${index + 1},1,1,reading,manual,${cells.join()}`;
    }),
    '',
  ].join('\n'),
});
const faultsOf = (column: Column, texts: readonly string[]) =>
  placedFaults(loadFiles(database.url('cf_owner'), fileOf(column, texts), { dryRun: true }));

describe('a cell of the type', () => {
  it.each<[string, Column, readonly string[]]>([
    ['number', 'value', ['0', '-1.5e-3', '1E+2', '12.50', '-7']],
    ['whole number', 'sample_size', ['0', '2147483647']],
    ['boolean', 'is_estimated', ['TRUE', 'False', 't', 'f']],
    ['day', 'period_start', ['2024-02-29', '1990-01-01', '2199-12-31']],
    [
      'time',
      'observed_at',
      [
        '2024-01-31T23:59:59.123456Z',
        '2024-01-31 00:00+02',
        '2024-01-31T23:59:59-0330',
        '2024-02-29T12:30:00+05:45',
        '2024-01-31T23:59:00.1Z',
      ],
    ],
    ['JSON', 'dimensions', ['{}', '{"a": [1, null]}']],
  ])('%s is taken in each of its forms', async (_, column, texts) => {
    expect(await faultsOf(column, texts)).toEqual([]);
  });

  it.each<[string, Column, string, readonly string[]]>([
    ['number', 'value', 'a number', ['NaN', 'Infinity', '1_000', '0x1F', '1e400', '5 h']],
    ['whole number', 'sample_size', 'a whole number', ['1.0', '2147483648', '1e3', '+1', '1 ']],
    ['boolean', 'is_estimated', 'true or false', ['yes', '1', 'on', 'tr']],
    [
      'day',
      'period_start',
      'a day, YYYY-MM-DD',
      ['2023-02-29', '2024-13-01', '24-01-01', 'yesterday', '2024-1-1'],
    ],
    [
      'time',
      'observed_at',
      'an ISO 8601 time with an offset or Z, to the microsecond at most',
      ['2024-01-31T23:59:59.1234567Z', '2024-01-31T23:59:59', '2024-01-31', '2024-02-30T00:00Z', 'now'],
    ],
    ['JSON', 'dimensions', 'JSON', ['{', "{'a': 1}", 'text']],
  ])('%s is refused in any other form, each row with its text', async (_, column, expected, texts) => {
    expect(await faultsOf(column, texts)).toEqual(
      texts.map((text, index) => [
        `observations.csv:${index + 2} ${column}=${text}`,
        expect.stringMatching(new RegExp(`^${expected}`)),
      ]),
    );
  });
});

it('a decimal number with more places than its column keeps is refused, and zeros beyond them are taken', async () => {
  const header = 'id,name,plan,plan_includes_api,app_url,contribution_margin';
  const refusedFor = (margin: string) => {
    const accounts = `${header}\n3,Company 3,team,true,https://app.example,${margin}\n`;
    return placedFaults(loadFiles(database.url('cf_owner'), { 'accounts.csv': accounts }, { dryRun: true }));
  };
  expect(await refusedFor('0.33335')).toEqual([
    [
      'accounts.csv:2 contribution_margin=0.33335',
      'a decimal number with no more places than numeric(5,4) keeps',
    ],
  ]);
  for (const margin of ['0.3333', '0.33330']) expect(await refusedFor(margin)).toEqual([]);
});

const DAY = 'a day, YYYY-MM-DD';

it.each([
  ['1989-12-31', 'a day from 1990-01-01 to 2199-12-31'],
  ['2200-01-01', 'a day from 1990-01-01 to 2199-12-31'],
  // Days in another form.
  ['31.12.1989', DAY],
  ['1. Januar 2200', DAY],
  ['12/31/1989', DAY],
  ['01.01.1990', `${DAY}; write 1990-01-01`],
  ['31.12.2199', `${DAY}; write 2199-12-31`],
  ['Dec 1989', DAY],
  ['Jan 1990', `${DAY}; write 1990-01`],
])('the day %s is refused with no hint but a day that the column takes: %s', async (text, expected) => {
  expect(await faultsOf('period_start', [text])).toEqual([
    [`observations.csv:2 period_start=${text}`, expected],
  ]);
});

describe('a load', () => {
  it('tells each step of each table with its rows, in the order of their writing', async () => {
    const steps: LoadProgress[] = [];
    const files = {
      'cost_entries.csv': costs(1, [1, 5], [2, 6]),
      'initiatives.csv': 'account_id,id,title,stage\n1,7,Seven,live\n',
    };
    await loadFiles(database.url('cf_owner'), files, {
      dryRun: true,
      onProgress: (step) => steps.push(step),
    });
    expect(steps).toEqual(
      (['read', 'checked', 'written'] as const).flatMap((step) => [
        { step, table: 'initiatives', rows: 1 },
        { step, table: 'cost_entries', rows: 2 },
      ]),
    );
  });

  it('tells the accounts of its costs and values, each once, and no account of other rows', async () => {
    const told: (readonly bigint[])[] = [];
    const request = { dryRun: true, onEntries: (accounts: readonly bigint[]) => told.push(accounts) };
    const [, second = ''] = costs(2, [1, 5]).split(/\n(.*)/s);
    const value = 'account_id,id,initiative_id,amount_cents,currency,status,entry_type,source_type';
    await loadFiles(
      database.url('cf_owner'),
      {
        'cost_entries.csv': costs(1, [1, 5], [2, 6]) + second,
        'value_entries.csv': `${value}\n2,1,1,5,USD,draft,capacity,manual\n`,
      },
      request,
    );
    await loadFiles(
      database.url('cf_owner'),
      { 'initiatives.csv': 'account_id,id,title,stage\n1,7,Seven,live\n' },
      request,
    );
    expect(told.map((accounts) => new Set(accounts))).toEqual([new Set([1n, 2n]), new Set()]);
    expect(told.map(({ length }) => length)).toEqual([2, 0]);
  });

  it('refuses a changed row that is written once, with what was written, and to replace no account', async () => {
    const url = database.url('cf_owner');
    const header = 'account_id,id,subject_kind,subject_id,subject_title,decision,source,decided_at';
    const decision = (title: string) => ({
      'approval_decisions.csv': `${header}\n1,1,charter,1,${title},approved,direct,2024-01-20T00:00:00Z\n`,
    });
    await loadFiles(url, decision('A'));
    expect(await placedFaults(loadFiles(url, decision('B'), { mode: 'upsert' }))).toEqual([
      ['approval_decisions.csv:2 subject_title=B', 'what was written once and is never changed: A'],
    ]);
    await expect(
      loadFiles(url, { 'vendors.csv': 'account_id,id,name\n1,1,A\n' }, { mode: 'replace-account' }),
    ).rejects.toMatchObject({
      code: 'usage_invalid',
      message: 'The mode replace-account needs an account.',
    });
  });
});

const table = (
  name: string,
  ...targets: readonly (readonly [target: string, optional: boolean])[]
): LoadTable =>
  ({
    schema: name === 'user_emails' ? 'vault' : 'ledger',
    name,
    references: targets.map(([target, optional]) => ({ target: `ledger.${target}`, optional })),
  }) as unknown as LoadTable; // the order needs nothing else of a table
const order = (...tables: readonly LoadTable[]): readonly string[] =>
  inKeyOrder(tables).map(({ name }) => name);

describe('the order of tables', () => {
  it('has each table after those it references, itself and tables outside of the load apart', () => {
    expect(
      order(
        table('c', ['b', false], ['elsewhere', false]),
        table('b', ['a', true]),
        table('a', ['a', false]),
      ),
    ).toEqual(['a', 'b', 'c']);
  });

  it('has tables that do not depend on each other in the given order', () => {
    expect(order(table('z'), table('a'), table('m', ['z', false]))).toEqual(['z', 'a', 'm']);
  });

  it('breaks a circle at a reference that may be empty, and refuses a circle without one', () => {
    expect(order(table('a', ['b', false]), table('b', ['a', true]), table('c', ['a', false]))).toEqual([
      'b',
      'a',
      'c',
    ]);
    expect(() => order(table('a', ['b', false]), table('b', ['a', false]))).toThrow('form a cycle');
  });

  it('has the addresses of people before memberships', () => {
    expect(order(table('memberships'), table('users'), table('user_emails', ['users', false]))).toEqual([
      'users',
      'user_emails',
      'memberships',
    ]);
  });
});
