import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addLoadCommand } from '../../src/commands/load.ts';
import { company } from '../ledger/load/folder.ts';
import { runCommandWith } from './in-process.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-load-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, maxRetries: 20, retryDelay: 100 });
  await database.drop();
});

let printed: string[];
let said: string[];
beforeEach(() => {
  printed = [];
  said = [];
});

async function run(...args: readonly string[]): Promise<void> {
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  addLoadCommand(program, {
    env: { DATABASE_URL: database.url('cf_reader'), OWNER_URL: database.url('cf_owner') },
    signal: new AbortController().signal,
    print: (line) => printed.push(line),
    say: (line) => said.push(line),
  });
  await program.parseAsync(['load', ...args], { from: 'user' });
}

it('load prints the result for each table, and its progress on standard error', async () => {
  await writeFile(join(folder, 'platforms.csv'), 'key,name,category\na,Alpha,crm\nb,Beta,crm\n');
  await run(folder);
  expect(said).toEqual(['read platforms: 2 rows', 'checked platforms: 2 rows', 'written platforms: 2 rows']);
  expect(printed).toEqual(['platforms: 2 inserted, 0 updated, 0 unchanged, 0 deleted']);
  await writeFile(join(folder, 'platforms.csv'), 'key,name,category\nb,Better,crm\n');
  await run(folder, '--mode', 'upsert');
  expect(printed[1]).toBe(
    'platforms: 0 inserted, 1 updated, 0 unchanged, 0 deleted; not in the file and kept: 1 (a)',
  );
});

it('load shows on a terminal its steps, then the tables in columns, and its speed', async () => {
  const own = await mkdtemp(join(tmpdir(), 'crossfoot-load-'));
  // More than one message to the database: 70 characters a row.
  const rows = Array.from({ length: 1_000 }, (_, at) => `big${at},${'Alpha '.repeat(10)},crm\n`);
  await writeFile(join(own, 'platforms.csv'), `key,name,category\n${rows.join('')}`);
  await writeFile(join(own, 'users.csv'), 'id,name\n77,Ada\n');
  const steps: unknown[] = [];
  const env = { DATABASE_URL: database.url('cf_reader'), OWNER_URL: database.url('cf_owner') };
  const args = ['load', own, '--mode', 'insert'] as const;
  const ran = await runCommandWith({ follow: (...step) => steps.push(step) }, addLoadCommand, env, ...args);
  expect(ran.error).toBeUndefined();
  expect(ran.printed.toSorted()).toEqual([
    'platforms:  1000 inserted,  0 updated,  0 unchanged,  0 deleted',
    'users:      1 inserted,     0 updated,  0 unchanged,  0 deleted',
  ]);
  expect(ran.said).toEqual([expect.stringMatching(/^2 tables, 1,001 rows in [\d.]+ m?s, [\d,]+ rows\/s$/)]);
  expect(steps[0]).toEqual(['opening the database']);
  expect(steps).toContainEqual(['reading platforms', { rows: expect.any(Number) as number }]);
  expect(steps).toContainEqual(['checking platforms']);
  expect(steps.slice(-2)).toEqual([['writing', { rows: 1_001 }], [null]]);
  // Elsewhere the same file says what any other says.
  await run(own, '--mode', 'upsert');
  expect(said.filter((line) => line.includes('platforms'))).toHaveLength(3);
  await rm(own, { recursive: true });
});

it('load prints in one line how many loaded amounts no total includes, and where each is shown', async () => {
  const own = await mkdtemp(join(tmpdir(), 'crossfoot-load-'));
  const header = 'account_id,id,initiative_id,amount_cents,currency,period_start,source_type';
  const entries = ['1,1,1,60000,EUR,2026-07-01,manual', '1,2,1,900,GBP,2026-07-01,manual'];
  const files = {
    ...company(1),
    'cost_entries.csv': `${header}\n${entries.join('\n')}\n1,3,1,500,USD,2026-07-01,manual\n`,
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(own, name), content);
  await run(own, '--mode', 'insert');
  expect(printed.filter((line) => line.startsWith('account 1'))).toEqual([
    'account 1: 2 amounts in EUR and GBP are in no total, 2 of them until rates are imported; after the next build npx --no crossfoot status --amounts shows why',
  ]);
  await rm(own, { recursive: true });
});

it('load converts the loaded amounts at the known rates, and counts the other amounts', async () => {
  const owner = await database.client('cf_owner');
  await owner.query(`insert into ledger.euro_reference_rates (day, currency, units_per_euro)
    values ('2026-05-04', 'USD', 1.1), ('2026-05-29', 'USD', 1.1)`);
  const own = await mkdtemp(join(tmpdir(), 'crossfoot-load-'));
  const header = 'account_id,id,initiative_id,amount_cents,currency,period_start';
  const entries = ['1,11,1,60000,EUR,2026-05-01', '1,12,1,900,EUR,2026-05-01', '1,13,1,700,EUR,2020-05-01'];
  await writeFile(join(own, 'cost_entries.csv'), `${header}\n${entries.join('\n')}\n`);
  await run(own, '--mode', 'insert', '--dry-run');
  expect(printed.splice(0).filter((line) => line.startsWith('account '))).toEqual([]);
  await run(own, '--mode', 'insert');
  expect(printed.slice(1)).toEqual([
    'cost_entries.csv: 3 rows, 616.00 EUR in the file and in the ledger',
    // 11 and 12, and the 600.00 EUR of July, which an earlier load left out.
    'account 1: 3 amounts in EUR converted',
    'account 1: 2 amounts in EUR and GBP are in no total, 1 of them until rates are imported; after the next build npx --no crossfoot status --amounts shows why',
  ]);
  const { rows } = await owner.query(
    'select usd_amount_cents::int as usd from ledger.cost_entries where account_id = 1 and id in (11, 12) order by id',
  );
  // 600.00 and 9.00 at 1.1 dollars.
  expect(rows).toEqual([{ usd: 66_000 }, { usd: 990 }]);
  await owner.query('truncate ledger.euro_reference_rates');
  await rm(own, { recursive: true });
});

it('load says at once that it waits for another load', async () => {
  const other = await database.client('cf_owner');
  // The lock of loads.
  await other.query('select pg_advisory_lock(4216001358)');
  const waiting = run(folder, '--mode', 'upsert', '--dry-run');
  await expect.poll(() => said).toContain('Another load is running; this load waits until it ends.');
  await other.query('select pg_advisory_unlock(4216001358)');
  await waiting;
});

it('load with --dry-run tells what a load would change, and changes nothing', async () => {
  const own = await mkdtemp(join(tmpdir(), 'crossfoot-load-'));
  await writeFile(join(own, 'accounts.csv'), 'id,name,plan,plan_includes_api\n5,Own,team,true\n');
  await writeFile(join(own, 'initiatives.csv'), 'source_ref,title,stage\nI-1,Quotes,live\n');
  const lines = [
    'accounts: 1 inserted, 0 updated, 0 unchanged, 0 deleted',
    'initiatives: 1 inserted, 0 updated, 0 unchanged, 0 deleted',
  ];
  for (const more of [['--dry-run'], ['--dry-run'], []]) {
    printed = [];
    await run(own, '--account', '5', ...more);
    expect(printed).toEqual(lines);
    expect(said.includes('Dry run: nothing was changed.')).toBe(true);
  }
  printed = [];
  said = [];
  await run(own, '--account', '5', '--dry-run');
  expect(printed).toEqual(
    lines.map((line) => line.replace('1 inserted', '0 inserted').replace('0 unch', '1 unch')),
  );
  await writeFile(join(own, 'initiatives.csv'), 'source_ref,title,stage\nI-1,Quotes,alive\n');
  await expect(run(own, '--account', '5', '--dry-run')).rejects.toMatchObject({
    code: 'load_rejected',
    exitCode: 1,
  });
  // Of the account of the load alone: account 1 leaves out amounts, too.
  await writeFile(join(own, 'initiatives.csv'), 'source_ref,title,stage\nI-1,Quotes,live\n');
  await writeFile(
    join(own, 'cost_entries.csv'),
    'source_ref,initiative_ref,amount,currency,period_start,source_type,cost_category\nC-1,I-1,5,EUR,2026-03-01,csv,opex\n',
  );
  printed = [];
  await run(own, '--account', '5');
  expect(printed.filter((line) => line.startsWith('account '))).toEqual([
    'account 5: 1 amount in EUR is in no total, until rates are imported; after the next build npx --no crossfoot status --amounts shows why',
  ]);
  await rm(own, { recursive: true });
});

it('load says every fault and exits with 1', async () => {
  await writeFile(join(folder, 'users.csv'), 'id,name\nx,Ada\n,Grace\n');
  await expect(run(folder, '--mode', 'insert')).rejects.toMatchObject({ code: 'load_rejected', exitCode: 1 });
  expect(said).toContain('users.csv, line 2, id: "x", expected a whole number');
});

it('load exits with 2 when it is called wrongly', async () => {
  await expect(run(folder, '--mode', 'insert', '--delete-missing')).rejects.toMatchObject({ exitCode: 2 });
  await expect(run(join(folder, 'nowhere'), '--mode', 'insert')).rejects.toMatchObject({ exitCode: 2 });
  await expect(run(folder, '--mode', 'replace')).rejects.toMatchObject({ code: 'commander.invalidArgument' });
  await expect(run(folder, '--mode', 'insert', '--complete')).rejects.toMatchObject({ exitCode: 2 });
  await expect(run(folder, '--source', ' ')).rejects.toMatchObject({ code: 'commander.invalidArgument' });
  await expect(run(folder, '--mode', 'insert', '--account', 'one')).rejects.toMatchObject({
    code: 'commander.invalidArgument',
  });
});

const HEADER = 'source_ref,initiative_ref,amount,currency,period_start,period_end,source_type,cost_category';
const line = (ref: string, amount: string, currency: string, more = '2026-03,2026-03,csv,opex') =>
  `${ref},I-1,${amount},${currency},${more}`;
async function withFiles(files: Readonly<Record<string, string>>, act: (own: string) => Promise<void>) {
  const own = await mkdtemp(join(tmpdir(), 'crossfoot-load-'));
  for (const [name, content] of Object.entries(files)) await writeFile(join(own, name), content);
  await act(own);
  await rm(own, { recursive: true });
}

describe('--describe', () => {
  it('says what each column of a table holds, and lists the needed columns of all', async () => {
    await run('--describe', 'metrics.csv');
    expect(printed.slice(0, 4)).toEqual([
      'metrics.csv, in any order of columns:',
      'account_id (needed, unless --account names the account)',
      '    The account that the row belongs to.',
      '    a whole number; for example 7',
    ]);
    expect(printed).toContain('    The name by which readings find the metric.');
    printed.length = 0;
    await run('--describe');
    expect(printed.find((each) => each.startsWith('metrics.csv'))).toMatch(/account_id, .*metric_key, name/);
  });

  it('names the table that was meant, and refuses a load of nothing', async () => {
    await expect(run('--describe', 'cost_entrys')).rejects.toMatchObject({
      code: 'usage_invalid',
      hint: 'Did you mean cost_entries?',
    });
    await expect(run()).rejects.toMatchObject({
      message: "missing required argument 'paths': load needs files or folders",
      exitCode: 2,
    });
  });
});

describe('--rejects', () => {
  const files = {
    'accounts.csv': 'id,name,plan,plan_includes_api\n6,Own,team,true\n',
    'initiatives.csv': 'source_ref,title,stage\nI-1,Quotes,live\n',
  };

  it('writes each refused row with its place, its reason and its cells, and loads nothing', async () => {
    const rows = [line('C-1', '5', 'EUR'), line('C-2', '"1,234"', 'EUR'), line('C-3', '7', 'XYZ'), 'C-4,I-1'];
    const all = { ...files, 'cost_entries.csv': `${HEADER}\n${rows.join('\n')}\n` };
    await withFiles(all, async (own) => {
      const rejects = join(own, 'rejects.out');
      await expect(run(own, '--account', '6', '--rejects', rejects)).rejects.toMatchObject({
        code: 'load_rejected',
      });
      const [head, ...refused] = (await readFile(rejects, 'utf8')).trimEnd().split('\n');
      expect(head).toBe(`file,line,column,reason,${HEADER}`);
      expect(refused).toHaveLength(3);
      expect(refused[0]).toMatch(/^cost_entries\.csv,3,amount,"""1,234"", expected .*",C-2,I-1,"1,234",EUR,/);
      expect(refused[1]).toMatch(
        /^cost_entries\.csv,4,currency,.*ISO 4217.*,C-3,I-1,7,XYZ,2026-03,2026-03,csv,opex$/,
      );
      expect(refused[2]).toMatch(/^cost_entries\.csv,5,.*8 cells as in the header, found 2.*,C-4,I-1,,,,,,$/);
      expect(said.at(-1)).toBe(`all in ${rejects}`);
    });
  });

  it('is not written for a load that succeeds, which takes months for days', async () => {
    const all = { ...files, 'cost_entries.csv': `${HEADER}\n${line('C-1', '5', 'EUR')}\n` };
    await withFiles(all, async (own) => {
      const rejects = join(own, 'rejects.out');
      await run(own, '--account', '6', '--dry-run', '--rejects', rejects);
      await expect(readFile(rejects)).rejects.toMatchObject({ code: 'ENOENT' });
      expect(printed).toContain('cost_entries: 1 inserted, 0 updated, 0 unchanged, 0 deleted');
    });
  });

  it('is refused where its file is there, before anything is loaded', async () => {
    await withFiles({ ...files, kept: 'mine' }, async (own) => {
      const kept = join(own, 'kept');
      await expect(run(own, '--account', '6', '--rejects', kept)).rejects.toMatchObject({
        code: 'usage_invalid',
        message: `--rejects ${kept} is there already; nothing was loaded.`,
      });
      expect(await readFile(kept, 'utf8')).toBe('mine');
      expect(printed).toEqual([]);
    });
  });

  it('is refused where its file cannot be created, before anything is loaded', async () => {
    await withFiles(files, async (own) => {
      const nowhere = join(own, 'nowhere', 'rejects.out');
      await expect(run(own, '--account', '6', '--rejects', nowhere)).rejects.toMatchObject({
        code: 'usage_invalid',
        message: `--rejects ${nowhere} cannot be created (ENOENT); nothing was loaded.`,
      });
      expect(printed).toEqual([]);
    });
  });

  it('shows no cell of a secret', async () => {
    const secrets = 'account_id,connection_id,credentials,settings,error_text\n6,99,hunter2,{},\n';
    await withFiles({ ...files, 'connection_secrets.csv': secrets }, async (own) => {
      const rejects = join(own, 'rejects.out');
      await expect(run(own, '--account', '6', '--rejects', rejects)).rejects.toMatchObject({
        code: 'load_rejected',
      });
      const text = await readFile(rejects, 'utf8');
      expect(text).toContain('connection_secrets.csv');
      expect(text).not.toContain('hunter2');
    });
  });
});
