import { randomBytes } from 'node:crypto';
import type { Client, Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findIssuer, findTokenHolder, insertToken } from '../../src/ledger/tokens.ts';
import { makeToken, tokenDigest, type TokenKind, tokenMarks } from '../../src/serve/auth/token.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let owner: Client;
let reader: Pool;

// Account 1 has API access and reports, account 2 neither. Person 1 is admin of both, 2 owns account 1, 3 only views.
beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
  reader = database.pool('cf_reader');
  await owner.query(`
    insert into ledger.accounts (id, name, plan, plan_includes_api, app_url, reporting_enabled_at) values
      (1, 'One', 'team', true, 'https://one.example', now()), (2, 'Two', 'free', false, 'https://two.example', null);
    insert into ledger.users (id, name) values (1, 'Ada'), (2, 'Bo'), (3, 'Cy');
    insert into ledger.memberships (account_id, user_id, role) values
      (1, 1, 'admin'), (1, 2, 'owner'), (1, 3, 'viewer'), (2, 1, 'admin')`);
});
afterAll(() => database.drop());

async function issue(account_id: bigint, kind: TokenKind, issued_by_id: bigint) {
  const token = makeToken(kind, randomBytes(32));
  const id = await insertToken(owner, {
    account_id,
    kind,
    name: 'test',
    issued_by_id,
    ...tokenMarks(token),
  });
  return { id, digest: tokenDigest(token) };
}

test('a personal token acts for its issuer, a reporting one for the account alone', async () => {
  const personal = await issue(1n, 'personal', 2n);
  const reporting = await issue(1n, 'reporting', 2n);
  const account = { account_id: 1n, api_access: true, reporting_enabled: true };
  expect(await findTokenHolder(reader, personal.digest)).toEqual({
    token_id: personal.id,
    user_id: 2n,
    kind: 'personal',
    ...account,
  });
  expect(await findTokenHolder(reader, reporting.digest)).toEqual({
    token_id: reporting.id,
    user_id: null,
    kind: 'reporting',
    ...account,
  });
});

test('the holder of a valid token is found even if the plan or a switch forbids the request', async () => {
  const { digest } = await issue(2n, 'personal', 1n);
  expect(await findTokenHolder(reader, digest)).toMatchObject({
    api_access: false,
    reporting_enabled: false,
  });
});

test('A-8: an unknown digest has no holder', async () => {
  expect(await findTokenHolder(reader, tokenDigest('cf_pat_unknown'))).toBeNull();
});

test.each([
  ['revoked', 'revoked_at = now()'],
  ['expired', "expires_at = now() - interval '1 second'"],
])('a %s token has no holder', async (_, change) => {
  const { id, digest } = await issue(1n, 'personal', 1n);
  await owner.query(`update vault.access_tokens set ${change} where id = $1`, [id]);
  expect(await findTokenHolder(reader, digest)).toBeNull();
});

test('a token that expires later still has its holder', async () => {
  const { id, digest } = await issue(1n, 'personal', 1n);
  await owner.query("update vault.access_tokens set expires_at = now() + interval '1 hour' where id = $1", [
    id,
  ]);
  expect(await findTokenHolder(reader, digest)).toMatchObject({ token_id: id });
});

test('a personal token dies with the membership, a reporting one outlives it', async () => {
  const personal = await issue(2n, 'personal', 1n);
  const reporting = await issue(2n, 'reporting', 1n);
  await owner.query('update ledger.memberships set removed_at = now() where account_id = 2 and user_id = 1');
  expect(await findTokenHolder(reader, personal.digest)).toBeNull();
  expect(await findTokenHolder(reader, reporting.digest)).toMatchObject({ token_id: reporting.id });
  expect(await findIssuer(owner, 2n)).toBeNull();
});

test('only an owner or admin still in the account issues a token', async () => {
  await expect(issue(1n, 'personal', 3n)).rejects.toThrow(/only an owner or admin of account 1/);
});

test('an owner is asked before an admin', async () => {
  expect(await findIssuer(owner, 1n)).toBe(2n);
});

test('the reader never sees the tokens themselves', async () => {
  await expect(reader.query('select sha256 from vault.access_tokens')).rejects.toThrow(/permission denied/);
});
