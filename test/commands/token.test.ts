import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client, Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addTokenCommand } from '../../src/commands/token.ts';
import { findTokenHolder } from '../../src/ledger/tokens.ts';
import { TOKEN_PATTERN, tokenDigest } from '../../src/serve/auth/token.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { type Ran, runCommand } from './in-process.ts';

let database: TestDatabase;
let owner: Client;
let reader: Pool;

// In the fixture company person 1 is its owner, 2 an admin, 3 a member; 7 was an admin and has left.
beforeAll(async () => {
  database = await createDatabase('template_company');
  owner = await database.client('cf_owner');
  reader = database.pool('cf_reader');
});
afterAll(() => database.drop());

function run(...args: readonly string[]): Promise<Ran> {
  const env = { DATABASE_URL: database.url('cf_reader'), OWNER_URL: database.url('cf_owner') };
  return runCommand(addTokenCommand, env, 'token', ...args);
}

function issue(...args: readonly string[]): Promise<Ran> {
  return run('issue', '--account', '1', ...args);
}

async function holderOf({ printed }: Ran) {
  return await findTokenHolder(reader, tokenDigest(printed[0] ?? ''));
}

async function listed(id: bigint | undefined): Promise<Record<string, unknown> | undefined> {
  const { printed } = await run('list', '--account', '1', '--json');
  const tokens = JSON.parse(printed.join('\n')) as Record<string, unknown>[];
  return tokens.find((token) => token['id'] === String(id));
}

describe('token issue', () => {
  it('prints the token alone, once, to stdout, and says to stderr which one it is', async () => {
    const ran = await issue('--kind', 'reporting', '--name', 'warehouse');
    expect(ran.error).toBeUndefined();
    expect(ran.printed).toEqual([expect.stringMatching(TOKEN_PATTERN)]);
    expect(ran.printed[0]).toMatch(/^cf_rpt_/);
    const holder = await holderOf(ran);
    expect(holder).toMatchObject({ account_id: 1n, user_id: null, kind: 'reporting' });
    expect(ran.said).toEqual([
      `token ${holder?.token_id} of account 1, issued by person 1; it is shown now and never again:`,
    ]);
    expect(ran.said.join()).not.toMatch(TOKEN_PATTERN);
  });

  it('writes a profile for clients of the shared tables, and does not print its token', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'crossfoot-profile-'));
    const path = join(folder, 'crossfoot.share');
    const args = ['--kind', 'reporting', '--name', 'bi', '--expires', '30', '--profile', path];
    const ran = await issue(...args);
    expect([ran.error, ran.printed]).toEqual([undefined, []]);
    const profile = JSON.parse(await readFile(path, 'utf8')) as Record<string, string>;
    expect(profile).toEqual({
      shareCredentialsVersion: 1,
      endpoint: 'http://127.0.0.1:8787/delta-sharing',
      bearerToken: expect.stringMatching(TOKEN_PATTERN),
      expirationTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect((await findTokenHolder(reader, tokenDigest(profile['bearerToken'] ?? '')))?.kind).toBe(
      'reporting',
    );
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await issue(...args)).error).toMatchObject({ code: 'usage_invalid' });
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(profile);
    await rm(folder, { recursive: true, maxRetries: 20, retryDelay: 100 });
  });

  it('leaves no profile behind if the token cannot be stored', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'crossfoot-profile-'));
    // PostgreSQL holds no text with U+0000.
    const args = ['--kind', 'reporting', '--name', 'b\0i', '--profile', join(folder, 'crossfoot.share')];
    expect((await issue(...args)).error).toBeInstanceOf(Error);
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  });

  it('acts for the owner or admin it names', async () => {
    const ran = await issue('--kind', 'personal', '--name', 'laptop', '--user', '2');
    expect(await holderOf(ran)).toMatchObject({ user_id: 2n, kind: 'personal' });
  });

  it.each([
    ['who is only a member', '3'],
    ['who has left', '7'],
    ['of another account', '21'],
  ])('refuses a person %s', async (_, user) => {
    const { error, printed } = await issue('--kind', 'personal', '--name', 'x', '--user', user);
    expect(error).toMatchObject({ code: 'member_refused', exitCode: 1 });
    expect(printed).toEqual([]);
  });

  it('lets a token live for the given days, and forever without --expires', async () => {
    const limited = await holderOf(await issue('--kind', 'personal', '--name', 'a month', '--expires', '30'));
    const { rows } = await owner.query<{ days: number }>(
      'select round(extract(epoch from expires_at - created_at) / 86400)::integer as days from vault.access_tokens where id = $1',
      [limited?.token_id],
    );
    expect(rows).toEqual([{ days: 30 }]);
    const endless = await holderOf(await issue('--kind', 'personal', '--name', 'endless'));
    expect(await listed(endless?.token_id)).toMatchObject({ expires_at: null, state: 'valid' });
  });

  it.each([
    ['an account that is not there', ['--account', '99', '--kind', 'personal', '--name', 'x'], 'not_found'],
    ['a blank name', ['--account', '1', '--kind', 'personal', '--name', ' '], 'usage_invalid'],
    ['an unknown kind', ['--account', '1', '--kind', 'other', '--name', 'x'], 'commander.invalidArgument'],
    [
      'no days at all',
      ['--account', '1', '--kind', 'personal', '--name', 'x', '--expires', '0'],
      'commander.invalidArgument',
    ],
    ['no name', ['--account', '1', '--kind', 'personal'], 'commander.missingMandatoryOptionValue'],
  ])('refuses %s', async (_, args, code) => {
    expect((await run('issue', ...args)).error).toMatchObject({ code });
  });

  it('says which setting it lacks without OWNER_URL', async () => {
    const env = { DATABASE_URL: database.url('cf_reader') };
    const ran = await runCommand(addTokenCommand, env, 'token', 'list', '--account', '1');
    expect(ran.error).toMatchObject({ code: 'settings_invalid', exitCode: 2 });
  });
});

describe('token list', () => {
  it('shows the marks by which a person recognises a token, and never the token', async () => {
    const ran = await issue('--kind', 'reporting', '--name', 'shown');
    const token = ran.printed[0] ?? '';
    const { printed } = await run('list', '--account', '1');
    const line = printed.find((each) => each.includes(' shown '));
    expect(printed[0]).toMatch(/^id +kind +name +token +state +issued by +created +expires +last used$/);
    expect(line).toMatch(
      /reporting +shown +cf_rpt_….{4} +valid +1 +\d{4}-\d\d-\d\d \d\d:\d\d UTC +never +not yet$/,
    );
    expect(line).toContain(`cf_rpt_…${token.slice(-4)}`);
    expect(printed.join('\n')).not.toContain(token.slice(7, -4));
  });

  it('flags tokens whose issuer has left: a personal one is dead, a reporting one lives on', async () => {
    await owner.query(`insert into ledger.users (id, name) values (900, 'Leaver');
      insert into ledger.memberships (account_id, user_id, role) values (1, 900, 'admin')`);
    const personal = await issue('--kind', 'personal', '--name', 'left-personal', '--user', '900');
    const reporting = await issue('--kind', 'reporting', '--name', 'left-reporting', '--user', '900');
    await owner.query('update ledger.memberships set removed_at = now() where user_id = 900');
    const { printed } = await run('list', '--account', '1');
    expect(printed.find((line) => line.includes('left-personal'))).toContain(
      'dead: issuer has left  900 (has left)',
    );
    expect(printed.find((line) => line.includes('left-reporting'))).toMatch(/valid +900 \(has left\)/);
    expect(await holderOf(personal)).toBeNull();
    expect(await holderOf(reporting)).not.toBeNull();
  });

  it('shows when a token was last used and when it expired', async () => {
    const holder = await holderOf(await issue('--kind', 'personal', '--name', 'used', '--expires', '1'));
    await owner.query('insert into ops.token_uses values (1, $1, $2)', [
      holder?.token_id,
      '2026-07-15T02:00:00Z',
    ]);
    await owner.query('update vault.access_tokens set expires_at = $2 where id = $1', [
      holder?.token_id,
      '2026-07-16T00:00:00.5Z',
    ]);
    expect(await listed(holder?.token_id)).toMatchObject({
      last_used_at: '2026-07-15T02:00:00.000000Z',
      expires_at: '2026-07-16T00:00:00.500000Z',
      state: 'expired',
    });
  });

  it('shows only tokens of its account, and says when there are none', async () => {
    await run('issue', '--account', '2', '--kind', 'personal', '--name', 'theirs');
    expect((await run('list', '--account', '1')).printed.join('\n')).not.toContain('theirs');
    expect(await run('list', '--account', '3')).toMatchObject({
      printed: [],
      said: ['account 3 has no tokens'],
    });
  });
});

describe('token revoke', () => {
  it('refuses the token from then on, and says so again the second time', async () => {
    const ran = await issue('--kind', 'personal', '--name', 'lost');
    const id = String((await holderOf(ran))?.token_id);
    const first = await run('revoke', id, '--account', '1');
    expect(first.printed).toEqual([expect.stringMatching(new RegExp(`^token ${id} revoked at `))]);
    expect(await holderOf(ran)).toBeNull();
    const second = await run('revoke', id, '--account', '1');
    expect(second.error).toBeUndefined();
    expect(second.printed[0]).toMatch(new RegExp(`^token ${id} was revoked at .* already$`));
    expect(await listed(BigInt(id))).toMatchObject({ state: expect.stringMatching(/^revoked 20/) as string });
  });

  it('does not find a token of another account', async () => {
    const ran = await run('issue', '--account', '2', '--kind', 'personal', '--name', 'safe');
    const holder = await holderOf(ran);
    const { error } = await run('revoke', String(holder?.token_id), '--account', '1');
    expect(error).toMatchObject({ code: 'not_found', exitCode: 1 });
    expect(await holderOf(ran)).not.toBeNull();
  });
});
