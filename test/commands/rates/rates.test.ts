/** `crossfoot rates` from the command line: files, reports, exit codes. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addRatesCommand } from '../../../src/commands/rates/rates.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { addCost, addValue, type Founded, foundAccount, inAccount } from '../../support/ledger-rows.ts';
import { zipOf } from '../../rates/zipped.ts';
import { type Ran, runCommand } from '../in-process.ts';

/** Two days of March 2020, long complete. */
const MARCH = 'Date,USD,GBP,\n2020-03-31,1.2,0.8,\n2020-03-02,1.1,0.88,\n';

let database: TestDatabase;
let owner: Client;
let folder: string;
let home: Founded;
beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-rates-'));
  home = await foundAccount(owner);
  const period = { period_start: '2020-03-01', period_end: '2020-03-31' };
  await inAccount(owner, home.account, async () => {
    await addCost(owner, home, { ...period, currency: 'GBP' });
    await addCost(owner, home, { ...period, currency: 'KES' });
    await addValue(owner, home, { period_start: '2020-04-01', period_end: '2020-04-30', currency: 'GBP' });
  });
});
afterAll(async () => {
  await rm(folder, { recursive: true, maxRetries: 20, retryDelay: 100 });
  await database.drop();
});

const rates = (...args: readonly string[]): Promise<Ran> => {
  const env = { DATABASE_URL: database.url('cf_reader'), OWNER_URL: database.url('cf_owner') };
  return runCommand(addRatesCommand, env, 'rates', ...args);
};
async function shownPeriod(...args: readonly string[]): Promise<{ from: string; through: string }> {
  const { printed } = await rates('show', 'EUR', '--json', ...args);
  return JSON.parse(printed.join('')) as { from: string; through: string };
}
const file = async (name: string, content: string | Buffer): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
};

describe('before any rate', () => {
  it('there is nothing to convert with, and nothing to show', async () => {
    const { printed } = await rates('convert');
    expect(printed).toEqual([
      expect.stringMatching(/^no rates are published by \d{4}-\d\d-\d\d: nothing was converted$/),
    ]);
    expect((await rates('show', 'GBP', '--from', '2020-03-01')).printed).toEqual([
      'GBP has no published rate by then, for 2020-03-01 to 2020-03-31',
    ]);
  });
});

describe('rates import', () => {
  it('prints what it read and the result', async () => {
    const path = await file('rates.zip', zipOf({ 'rates.csv': Buffer.from(MARCH) }));
    const first = await rates('import', path);
    expect(first.error).toBeUndefined();
    expect(first.said).toEqual([`read ${path}: 4 rates of 2 currencies, 2020-03-02 to 2020-03-31`]);
    expect(first.printed).toEqual(['4 rates added, 0 unchanged']);
    expect((await rates('import', path)).printed).toEqual(['0 rates added, 4 unchanged']);
  });

  it('says every fault with line and column, and exits with 1', async () => {
    const { said, error } = await rates(
      'import',
      await file('bad.csv', 'Date,USD\n2020-03-31,x\n2020-13-31,1\n'),
    );
    expect(said).toEqual([
      'line 2, USD: "x", expected units for one euro above zero, at most ten decimals, or N/A',
      'line 3, Date: "2020-13-31", expected a day from 1990 to 2199 as YYYY-MM-DD',
    ]);
    expect(error).toMatchObject({ code: 'rates_rejected', exitCode: 1 });
  });

  it('prints what a file contradicts and exits with 1, unless --revise is given', async () => {
    const path = await file('other.csv', 'Date,USD,GBP\n2020-03-31,1.2,0.75\n');
    const refused = await rates('import', path);
    const change = '2020-03-31 GBP: published 0.8000000000, the file has 0.7500000000';
    expect(refused.said).toContain(change);
    expect(refused.error).toMatchObject({ code: 'rates_changed', exitCode: 1 });
    const revised = await rates('import', path, '--revise', '--json');
    expect(JSON.parse(revised.printed.join(''))).toEqual({
      first: '2020-03-31',
      last: '2020-03-31',
      added: 0,
      unchanged: 1,
      revised: [{ day: '2020-03-31', currency: 'GBP', published: '0.8000000000', found: '0.7500000000' }],
    });
    expect(revised.said).toContain(change);
    await rates('import', await file('rates.csv', MARCH), '--revise');
  });

  it('from an address without https is wrong usage', async () => {
    expect((await rates('import', 'http://127.0.0.1/rates')).error).toMatchObject({
      code: 'usage_invalid',
      exitCode: 2,
    });
  });
});

describe('rates convert', () => {
  it('reports by account and currency: changed, converted, waiting, and never with the reason', async () => {
    const { printed, error } = await rates('convert', '--account', String(home.account));
    expect(error).toBeUndefined();
    expect(printed).toEqual(
      [
        'rates published through 2020-03-31',
        `account ${home.account}  GBP  1  changed by this run`,
        '                1  at the rate of their period',
        '                1  value that waits for its period to be complete',
        '           KES  0  changed by this run',
        '                1  in a currency of which no rate is stored: import published rates',
      ].map((line) => line.replace(/^ {11}KES/, `account ${home.account}  KES`)),
    );
  });

  it('reports the same result as JSON, and a second run changes nothing', async () => {
    const { printed } = await rates('convert', '--json');
    expect(JSON.parse(printed.join(''))).toEqual({
      as_of: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
      published_through: '2020-03-31',
      held: 0,
      currencies: [
        {
          account_id: String(home.account),
          currency: 'GBP',
          written: 0,
          entries: { converted: 1, waiting: 1 },
        },
        { account_id: String(home.account), currency: 'KES', written: 0, entries: { no_published_rates: 1 } },
      ],
    });
  });

  it('exits with 1 when other sessions held rows, after the report', async () => {
    await owner.query(
      "update ledger.euro_reference_rates set units_per_euro = 0.75 where currency = 'GBP' and day = '2020-03-31'",
    );
    const other = await database.client('cf_owner');
    await other.query(`begin; set local app.account_id = '${home.account}'`);
    await other.query('update ledger.cost_entries set notes = $1', ['held']);
    const { printed, error } = await rates('convert');
    await other.query('rollback');
    expect(printed[0]).toBe('rates published through 2020-03-31');
    expect(error).toMatchObject({ code: 'entries_held', exitCode: 1 });
  });

  it('of an account that is not there exits with 1', async () => {
    expect((await rates('convert', '--account', '99')).error).toMatchObject({
      code: 'not_found',
      exitCode: 1,
    });
  });
});

describe('rates show', () => {
  beforeAll(() =>
    owner.query(
      "update ledger.euro_reference_rates set units_per_euro = 0.8 where currency = 'GBP' and day = '2020-03-31'",
    ),
  );

  it('prints the days, their average, and that the period is complete', async () => {
    // 1.1 / 0.88 = 1.25 and 1.2 / 0.8 = 1.5: 1.375 on average.
    expect((await rates('show', 'GBP', '--from', '2020-03-01', '--through', '2020-03-31')).printed).toEqual([
      '2020-03-02  1.2500000000',
      '2020-03-31  1.5000000000',
      'average of 2 published days: 1.3750000000',
      'complete: its rate is 1.3750000000, of 2020-03-02 to 2020-03-31',
    ]);
  });

  it('says of a period that is not complete what stands in for it', async () => {
    expect((await rates('show', 'EUR', '--from', '2020-03-03', '--through', '2020-04-30')).printed).toEqual([
      '2020-03-31  1.2000000000',
      'average of 1 published day: 1.2000000000',
      'not complete before a rate of 2020-04-30 or later; until then costs take the latest, 1.2000000000 of 2020-03-31, and value waits',
    ]);
  });

  it('says of a complete period without a published day which day it takes, as JSON too', async () => {
    const period = ['--from', '2020-03-07', '--through', '2020-03-08'];
    expect((await rates('show', 'EUR', ...period)).printed).toEqual([
      'no published day from 2020-03-07 to 2020-03-08',
      'complete: its rate is 1.1000000000, of 2020-03-02',
    ]);
    expect(JSON.parse((await rates('show', 'EUR', ...period, '--json')).printed.join(''))).toEqual({
      currency: 'EUR',
      from: '2020-03-07',
      through: '2020-03-08',
      days: [],
      complete: true,
      cost_rate: { usd_rate: '1.1000000000', usd_rate_from: '2020-03-02', usd_rate_through: '2020-03-02' },
      mean: null,
    });
  });

  it('takes the month of the day it is given, or this month', async () => {
    expect(await shownPeriod('--from', '2020-02-05')).toMatchObject({
      from: '2020-02-05',
      through: '2020-02-29',
    });
    expect(await shownPeriod('--through', '2020-02-05')).toMatchObject({
      from: '2020-02-01',
      through: '2020-02-05',
    });
    expect((await shownPeriod()).from).toMatch(/-01$/);
  });

  it.each([
    ['a currency that is none', ['gbp']],
    ['the dollar', ['USD']],
    ['a day that no calendar has', ['GBP', '--from', '2020-02-30']],
    ['another way to write a day', ['GBP', '--from', '1.2.2020']],
  ])('refuses %s', async (_, args) => {
    expect((await rates('show', ...args)).error).toMatchObject({ code: 'commander.invalidArgument' });
  });

  it('refuses a period that ends before it starts', async () => {
    const { error } = await rates('show', 'GBP', '--from', '2020-03-02', '--through', '2020-03-01');
    expect(error).toMatchObject({ code: 'usage_invalid', exitCode: 2 });
  });
});
