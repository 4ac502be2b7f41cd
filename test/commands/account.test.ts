import type { Client, Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAccountCommand } from '../../src/commands/account.ts';
import { reportingAccounts } from '../../src/commands/actions/build.ts';
import { findTokenHolder } from '../../src/ledger/tokens.ts';
import { TOKEN_PATTERN, tokenDigest } from '../../src/serve/auth/token.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { type Ran, runCommand } from './in-process.ts';

let database: TestDatabase;
let owner: Client;
let reader: Pool;

beforeAll(async () => {
  database = await createDatabase('template_company');
  owner = await database.client('cf_owner');
  reader = database.pool('cf_reader');
});
afterAll(() => database.drop());

function run(...args: readonly string[]): Promise<Ran> {
  const env = { DATABASE_URL: database.url('cf_reader'), OWNER_URL: database.url('cf_owner') };
  return runCommand(addAccountCommand, env, 'account', ...args);
}

interface Listed {
  readonly id: number;
  readonly name: string;
  readonly plan: string;
  readonly reporting: boolean;
}

async function listed(): Promise<readonly Listed[]> {
  return JSON.parse((await run('list', '--json')).printed.join('\n')) as Listed[];
}

async function idOf(name: string): Promise<number> {
  return (await listed()).find((account) => account.name === name)?.id ?? 0;
}

async function shown(id: number): Promise<Record<string, unknown>> {
  return JSON.parse((await run('show', String(id), '--json')).printed.join('\n')) as Record<string, unknown>;
}

/** Rows by table, as `remove --dry-run` prints them. */
async function rowsOf(id: number): Promise<Record<string, number>> {
  const { printed, error } = await run('remove', String(id), '--dry-run');
  expect(error).toBeUndefined();
  return Object.fromEntries(
    printed.map((line) => line.split(/ {2,}/)).map(([table, rows]) => [table, Number(rows)]),
  );
}

describe('account add', () => {
  it('makes an account that reports, with an owner whose token is alone on stdout', async () => {
    const ran = await run(
      'add',
      'Own Company',
      '--fiscal-year-start',
      '7',
      '--app-url',
      'https://app.example/own/',
    );
    expect(ran.error).toBeUndefined();
    expect(ran.printed).toEqual([expect.stringMatching(TOKEN_PATTERN)]);
    const id = await idOf('Own Company');
    expect((await listed()).at(-1)).toEqual({ id, name: 'Own Company', plan: 'business', reporting: true });
    expect(ran.said[0]).toBe(`account ${id} added: Own Company, plan business, reporting on`);
    const holder = await findTokenHolder(reader, tokenDigest(ran.printed[0] ?? ''));
    expect(holder).toMatchObject({
      account_id: BigInt(id),
      kind: 'personal',
      api_access: true,
      reporting_enabled: true,
    });
    expect(await shown(id)).toMatchObject({
      fiscal_year_start_month: 7,
      app_url: 'https://app.example/own',
      people: [{ id: Number(holder?.user_id), role: 'owner', name: 'Owner', email: null }],
      locked_months: [],
    });
    expect(await reportingAccounts(database.url('cf_reader'))).toContain(BigInt(id));
  });

  it('refuses a name that another account has, in any case, and adds nothing', async () => {
    const before = await listed();
    const { error, printed } = await run('add', ' KESTREL foods ');
    expect(error).toMatchObject({
      code: 'account_refused',
      exitCode: 1,
      message: 'Account 2 is named "KESTREL foods" already.',
      hint: expect.stringContaining('npx --no crossfoot account show 2'),
    });
    expect(printed).toEqual([]);
    expect(await listed()).toEqual(before);
  });

  it('makes the person of a known e-mail address the owner, and a person for a new one', async () => {
    await run('add', 'Third', '--owner-email', 'Canary-21@kestrel.example', '--owner-name', 'Somebody');
    await run(
      'add',
      'Fourth',
      '--owner-email',
      'kim@own.example',
      '--owner-name',
      'Kim',
      '--plan',
      'team',
      '--no-api-access',
    );
    expect((await shown(await idOf('Third')))['people']).toEqual([
      { id: 21, role: 'owner', name: 'Aiko Mori', email: 'canary-21@kestrel.example' },
    ]);
    expect(await shown(await idOf('Fourth'))).toMatchObject({
      plan: 'team',
      plan_includes_api: false,
      people: [{ role: 'owner', name: 'Kim', email: 'kim@own.example' }],
    });
  });

  it('leaves nothing behind when its last step fails', async () => {
    const admin = await database.admin();
    await admin.query('alter table vault.access_tokens add constraint never_true check (false) not valid');
    const before = await owner.query('select count(*) from ledger.users');
    expect((await run('add', 'Half')).error).toBeDefined();
    await admin.query('alter table vault.access_tokens drop constraint never_true');
    expect(await idOf('Half')).toBe(0);
    expect((await owner.query('select count(*) from ledger.users')).rows).toEqual(before.rows);
  });

  it.each([
    ['a blank name', ['add', ' ']],
    ['a month past 12', ['add', 'x', '--fiscal-year-start', '13']],
    ['an address without a host', ['add', 'x', '--app-url', 'app.example']],
    ['an e-mail address without a host', ['add', 'x', '--owner-email', 'kim']],
    ['an unknown plan', ['add', 'x', '--plan', 'gold']],
    ['a share above 1', ['set', '2', '--contribution-margin', '1.1']],
  ])('refuses %s', async (_, args) => {
    expect((await run(...args)).error).toMatchObject({ code: 'commander.invalidArgument' });
  });
});

describe('account set', () => {
  it('changes what is given, and nothing else', async () => {
    const before = await shown(2);
    const { printed } = await run(
      'set',
      '2',
      '--plan',
      'enterprise',
      '--contribution-margin',
      '0.5',
      '--no-app-url',
    );
    expect(printed.find((line) => line.startsWith('plan '))).toMatch(/ enterprise$/);
    expect(await shown(2)).toEqual({
      ...before,
      plan: 'enterprise',
      contribution_margin: '0.5000',
      app_url: null,
    });
  });

  it.each([
    ['api-access', 'plan_includes_api'],
    ['auto-approve-value', 'auto_approve_value'],
    ['companion-tables', 'companion_tables'],
  ])('switches %s off and on again', async (option, column) => {
    const before = await shown(2);
    for (const [given, value] of [
      [`--no-${option}`, false],
      [`--${option}`, true],
      [`--no-${option}`, false],
    ] as const) {
      expect((await run('set', '2', given)).error).toBeUndefined();
      expect(await shown(2)).toEqual({ ...before, [column]: value });
    }
    await run('set', '2', `--${before[column] === true ? '' : 'no-'}${option}`);
  });

  it('refuses no setting, a name that is taken, and an account that is not there', async () => {
    expect((await run('set', '2')).error).toMatchObject({ code: 'usage_invalid', exitCode: 2 });
    expect((await run('set', '2', '--name', 'own company')).error).toMatchObject({ code: 'account_refused' });
    expect((await run('set', '2', '--name', 'Kestrel Foods')).error).toBeUndefined();
    for (const args of [
      ['set', '99', '--plan', 'team'],
      ['show', '99'],
      ['remove', '99'],
      ['remove', '99', '--dry-run'],
    ]) {
      expect((await run(...args)).error).toMatchObject({ code: 'not_found', exitCode: 1 });
    }
  });
});

describe('account remove', () => {
  it('refuses an account with a locked month, and removes nothing', async () => {
    const before = await rowsOf(2);
    expect((await run('remove', '2')).error).toMatchObject({
      code: 'account_refused',
      message: 'Account 2, "Kestrel Foods", has 1 locked month: 2025-02. Nothing was removed.',
      hint: expect.stringContaining('--locked'),
    });
    expect(await rowsOf(2)).toEqual(before);
  });

  it('counts in a dry run what it then removes, keeps people of other accounts, and touches no other account', async () => {
    // The rows of fixtures/second. Of its two people, 21 owns the account Third too, and stays.
    const counted = await rowsOf(2);
    expect(counted).toMatchObject({
      'ledger.accounts': 1,
      'ledger.initiatives': 3,
      'ledger.cost_entries': 4,
      'ledger.value_entries': 3,
      'ledger.memberships': 2,
      'vault.connection_secrets': 1,
      'ledger.users': 1,
      'vault.user_emails': 1,
    });
    const others = (await listed()).filter(({ id }) => id !== 2);
    const company = await rowsOf(1);
    const { printed, said, error } = await run('remove', '2', '--locked');
    expect(error).toBeUndefined();
    expect(printed.find((line) => line.startsWith('ledger.initiatives '))).toMatch(/ 3$/);
    expect(said.at(-1)).toContain('below v1/a/2/');
    expect(await listed()).toEqual(others);
    expect(await rowsOf(1)).toEqual(company);
    const { rows } = await owner.query('select id::int from ledger.users where id in (21, 22)');
    expect(rows).toEqual([{ id: 21 }]);
  });

  it('removes every row of an account that has rows of all kinds', async () => {
    const { error } = await run('remove', '1', '--locked');
    expect(error).toBeUndefined();
    const { rows } = await owner.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid
       where a.attname = 'account_id' and c.relkind = 'r' and c.relnamespace in ('ledger'::regnamespace, 'vault'::regnamespace, 'ops'::regnamespace)`,
    );
    expect(rows.length).toBeGreaterThan(30);
    const left = await owner.query(
      rows.map(({ name }) => `select '${name}' from ${name} where account_id = 1`).join(' union all '),
    );
    expect(left.rows).toEqual([]);
  });
});
