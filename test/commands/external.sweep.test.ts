/** The commands on a PostgreSQL that is not ours to start: roles, exit codes, and what they say to the operator. */
import { randomBytes } from 'node:crypto';
import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findIssuer, insertToken } from '../../src/ledger/tokens.ts';
import { makeToken, tokenMarks } from '../../src/serve/auth/token.ts';
import { SEED } from '../support/signing.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { Folder } from './instances.ts';
import { programHere } from './program-here.ts';
import type { Environment, Outcome } from './program.ts';
import { readManifest, wrongTables } from './published.ts';

let database: TestDatabase;
let folder: Folder;
let env: Environment;
beforeAll(async () => {
  [database, folder] = await Promise.all([createDatabase('template_company'), Folder.make()]);
  env = {
    DATABASE_URL: database.url('cf_service'),
    LEDGER_URL: database.url('cf_reader'),
    OWNER_URL: database.url('cf_owner'),
    SECRET_KEYS: 'the same key for every server of one ledger',
    SIGNING_KEYS: SEED,
  };
});
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
  await database.drop();
});

/** Runs a command in this process, where it is refused or soon done. */
async function parse(args: readonly string[], given: Environment): Promise<readonly string[]> {
  const { program, printed } = programHere({
    DATA_DIR: folder.path,
    PORT: '0',
    LOG_LEVEL: 'silent',
    ...given,
  });
  await program.parseAsync(args, { from: 'user' });
  return printed;
}

async function newToken(account_id: bigint): Promise<string> {
  const owner = await database.client('cf_owner');
  const token = makeToken('personal', randomBytes(32));
  const issued_by_id = (await findIssuer(owner, account_id)) ?? 0n;
  const named = { account_id, name: 'test', issued_by_id, kind: 'personal' } as const;
  await insertToken(owner, { ...named, ...tokenMarks(token) });
  return token;
}

describe('build and serve', () => {
  let built: Outcome;
  beforeAll(async () => {
    built = await folder.run(['build', '--account', '2'], env).ended;
  });

  it('publish and serve the one account that was asked for', async () => {
    expect(built).toMatchObject({ code: 0, stderr: [] });
    expect(built.stdout[0]).toBe('account 2');
    expect(built.stdout.at(-1)).toMatch(/^ {2}published \d{8}T\d{6}Z as number 1 /);
    expect(built.stdout).not.toContain('account 1');

    const token = await newToken(2n);
    const server = folder.run(['serve'], env);
    const address = (await server.said(/^ready /)).replace('ready ', '');
    const manifest = await readManifest(`${address}/v1/reporting/latest`, token);
    expect(manifest.account_id).toBe('2');
    expect(await wrongTables(manifest, token)).toEqual([]);

    // A second server at the same address says whose fault that is, before anything else is done.
    const { port } = new URL(address);
    await expect(parse(['serve'], { ...env, PORT: port })).rejects.toMatchObject({
      code: 'settings_invalid',
      message: expect.stringContaining(`cannot listen on 127.0.0.1, port ${port}`),
      exitCode: 2,
    });
    server.signal('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0, signal: null });
  });

  it('exit with 1 for an account that is not there, naming it', async () => {
    const { code, stderr } = await folder.run(['build', '--account', '99'], env).ended;
    expect(code).toBe(1);
    expect(stderr).toContain('crossfoot: There is no account 99 in this ledger.');
  });

  it('say in one sentence and without a stack that an account does not report, and how to change that', async () => {
    const { code, stdout, stderr } = await folder.run(['build', '--account', '3'], env).ended;
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: ['account 3'],
      stderr: [
        'crossfoot: Account 3 does not report: that is switched off, or its plan is without API access.',
        '  `npx --no crossfoot reporting on --account 3` switches it on.',
      ],
    });
  });

  it('say that no account reports, and how to switch one on', async () => {
    for (const account of ['1', '2']) await parse(['reporting', 'off', '--account', account], env);
    const { program, printed, said } = programHere({ ...env, DATA_DIR: folder.path, LOG_LEVEL: 'silent' });
    await program.parseAsync(['build'], { from: 'user' });
    for (const account of ['1', '2']) await parse(['reporting', 'on', '--account', account], env);
    expect([printed, said]).toEqual([
      [],
      [
        'No account reports, so nothing was built. `npx --no crossfoot reporting on --account <id>` switches one on.',
      ],
    ]);
  });

  it.each(['build', 'serve'])('say that the database does not answer: %s', async (command) => {
    const nowhere = { ...env, LEDGER_URL: 'postgres://cf_reader@127.0.0.1:1/nowhere' };
    await expect(parse([command], nowhere)).rejects.toMatchObject({
      code: 'database_unreachable',
      exitCode: 1,
    });
  });

  it.each([
    ['LEDGER_URL', 'the superuser', () => database.adminUrl, 'roles_unsafe'],
    ['LEDGER_URL', 'the owner of the ledger', () => database.url('cf_owner'), 'role_refused'],
    ['LEDGER_URL', 'the role that writes', () => database.url('cf_service'), 'role_refused'],
    ['DATABASE_URL', 'the superuser', () => database.adminUrl, 'roles_unsafe'],
    ['DATABASE_URL', 'the owner of the ledger', () => database.url('cf_owner'), 'role_refused'],
    ['DATABASE_URL', 'the role that reads', () => database.url('cf_reader'), 'role_refused'],
  ])('refuse to serve with %s as %s', async (name, _, url, code) => {
    await expect(parse(['serve'], { ...env, [name]: url() })).rejects.toMatchObject({ code, exitCode: 2 });
  });

  it('say which right is missing where a server could not write', async () => {
    const admin = await database.admin();
    await admin.query('revoke insert on ops.rate_limits from cf_service');
    try {
      await expect(parse(['serve'], env)).rejects.toMatchObject({
        code: 'grants_missing',
        message: 'A server could not write what it must: cf_service may not insert ops.rate_limits.',
        exitCode: 2,
      });
    } finally {
      await admin.query('grant insert on ops.rate_limits to cf_service');
    }
  });
});

describe('a server on a database of one’s own', () => {
  it.each(['serve', 'start'])('does not %s without the key that all servers share', async (command) => {
    await expect(parse([command], { ...env, SECRET_KEYS: '' })).rejects.toMatchObject({
      code: 'settings_invalid',
      message: 'SECRET_KEYS must be set to serve a database of your own.',
      exitCode: 2,
    });
  });
});

describe('a view that loses a row', () => {
  let built: Outcome;
  beforeAll(async () => {
    const owner = await database.client('cf_owner');
    // One entry of account 1, as a dropping join would lose it.
    await owner.query(`
      alter view reporting.cost_entries rename to cost_entries_whole;
      create view reporting.cost_entries with (security_invoker = true) as
        select * from reporting.cost_entries_whole
        where not (account_id = 1
          and id = (select min(id) from reporting.cost_entries_whole where account_id = 1 and not is_sample));
      grant select on reporting.cost_entries to cf_reader;`);
    built = await folder.run(['build'], env).ended;
  });

  it('is refused with exit code 3, and with what was expected and found', () => {
    expect(built.code).toBe(3);
    expect(built.stdout).toContainEqual(expect.stringContaining('the audit refused these figures'));
  });

  it('is said once, without a stack, and then which accounts got no snapshot', () => {
    expect(built.stderr.filter((line) => line.includes('nothing was published'))).toEqual([
      expect.stringMatching(/^ {2}costs.*; nothing was published\.$/),
    ]);
    expect(built.stderr.slice(-2)).toEqual([
      'crossfoot: 1 of 2 accounts got no new snapshot: 1.',
      '  `npx --no crossfoot why --account <id>` says how far each came.',
    ]);
    expect(built.stderr.join('\n')).not.toMatch(/"stack"|^ +at /m);
  });

  it('keeps its account from being published, and no other', async () => {
    const objects = join(folder.path, 'objects/v1/a');
    await expect(access(join(objects, '1/log'))).rejects.toMatchObject({ code: 'ENOENT' });
    const second = built.stdout.indexOf('account 2');
    expect(built.stdout.slice(second).at(-1)).toMatch(/^ {2}published /);
  });

  it('decides the exit code, also where the build of another account fails later', async () => {
    await writeFile(join(folder.path, 'objects/v1/a/2/log/0000000001.json'), '{}');
    const { code, stderr } = await folder.run(['build'], env).ended;
    expect(code).toBe(3);
    expect(stderr.at(-2)).toBe('crossfoot: 2 of 2 accounts got no new snapshot: 1, 2.');
  });
});

describe('migrate and load', () => {
  let empty: TestDatabase;
  beforeAll(async () => {
    empty = await createDatabase('template0');
  });
  afterAll(() => empty.drop());

  it('applies every file once, and a second time finds nothing to do', async () => {
    const admin = { OWNER_URL: empty.adminUrl };
    const applied = await parse(['migrate'], admin);
    expect(applied).toContain('applied 0002-foundation.sql');
    expect(applied.at(-2)).toBe('views re-created');
    expect(await parse(['migrate'], admin)).toEqual(['nothing to migrate', 'catalogue unchanged']);
  });

  it('ask for the owner’s URL where it is not set', async () => {
    const reader = { DATABASE_URL: database.url('cf_reader') };
    for (const args of [['migrate'], ['load', folder.path, '--mode', 'insert']]) {
      await expect(parse(args, reader)).rejects.toMatchObject({ code: 'settings_invalid', exitCode: 2 });
    }
  });

  it('exits with 1 over a file with a fault, naming file, line, column and value', async () => {
    const file = join(folder.path, 'users.csv');
    await writeFile(file, 'id,name\n9001,Ada\nnine,Grace\n');
    const { code, stdout, stderr } = await folder.run(['load', file, '--mode', 'upsert'], env).ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: [] });
    expect(stderr).toContain('users.csv, line 3, id: "nine", expected a whole number');
    expect(stderr.at(-1)).toBe('  Correct the files and load again.');
  });
});
