import type { Client, Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addTokenCommand } from '../../../src/commands/token.ts';
import { addPeopleCommand } from '../../../src/commands/people/people.ts';
import { findTokenHolder } from '../../../src/ledger/tokens.ts';
import { removePerson } from '../../../src/ledger/people.ts';
import { TOKEN_PATTERN, tokenDigest } from '../../../src/serve/auth/token.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { blockersOf, outcomeOf, processOf } from '../../support/waiting.ts';
import { type Ran, runCommand } from '../in-process.ts';

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
  return runCommand(addPeopleCommand, env, 'people', ...args);
}

/** A command on the tokens of account 3. */
function ofTokens(...args: readonly string[]): Promise<Ran> {
  const env = { DATABASE_URL: database.url('cf_reader'), OWNER_URL: database.url('cf_owner') };
  return runCommand(addTokenCommand, env, 'token', ...args, '--account', '3');
}

interface Listed {
  readonly id: number;
  readonly role: string;
  readonly name: string | null;
  readonly email: string | null;
}

async function listed(account: number): Promise<readonly Listed[]> {
  const { printed } = await run('list', '--account', String(account), '--json');
  return JSON.parse(printed.join('\n')) as Listed[];
}

/** Everything that the command may change. */
async function everything(): Promise<unknown> {
  const { rows } = await owner.query(
    `select (select count(*)::int from ledger.users) as users, (select count(*)::int from vault.user_emails) as emails,
       (select json_agg(m order by account_id, id) from ledger.memberships m) as memberships,
       (select json_agg(t order by account_id, id) from vault.access_tokens t) as tokens`,
  );
  return rows;
}

describe('people invite', () => {
  it.each(['owner', 'admin'])('prints a token once for an %s, and no other line on stdout', async (role) => {
    const email = `new-${role}@own.example`;
    const given = role === 'admin' ? [] : ['--role', role];
    const { printed, said, error } = await run('invite', email, '--account', '2', ...given);
    expect(error).toBeUndefined();
    expect(printed).toEqual([expect.stringMatching(TOKEN_PATTERN)]);
    const holder = await findTokenHolder(reader, tokenDigest(printed[0] ?? ''));
    expect(holder).toMatchObject({ account_id: 2n, kind: 'personal' });
    expect((await listed(2)).at(-1)).toEqual({ id: Number(holder?.user_id), role, name: null, email });
    expect(said).toEqual([
      `person ${holder?.user_id}, ${email}, is in account 2 as ${role}`,
      'nothing was mailed; the personal token of this person is shown now and never again:',
    ]);
  });

  it.each(['member', 'viewer'])('gives a %s no token, and says so', async (role) => {
    const ran = await run(
      'invite',
      `${role}@own.example`,
      '--account',
      '2',
      '--role',
      role,
      '--name',
      ' Kim ',
    );
    expect(ran).toMatchObject({ error: undefined, printed: [] });
    expect(ran.said[1]).toBe(
      `a ${role} gets no token: only owners and admins hold personal tokens; nothing was mailed`,
    );
    const person = (await listed(2)).at(-1);
    expect(person).toMatchObject({ role, name: 'Kim' });
    expect(ran.said[2]).toBe(
      `to sign in to the pages: npx --no crossfoot token issue --kind reporting --account 2 --name person-${person?.id}`,
    );
  });

  it('finds the person of an e-mail address in other letters and with blanks around it', async () => {
    // Person 21 is of the second account.
    const { said } = await run(
      'invite',
      ' CANARY-21@Kestrel.example ',
      '--account',
      '1',
      '--name',
      'Another',
    );
    expect(said[0]).toBe(
      'person 21, CANARY-21@Kestrel.example, is in account 1 as admin; the ledger had the person already, and keeps the name that it has',
    );
    expect((await listed(1)).at(-1)).toEqual({
      id: 21,
      role: 'admin',
      name: 'Aiko Mori',
      email: 'canary-21@kestrel.example',
    });
  });

  it('brings back a person who has left, whose tokens of before stay dead', async () => {
    const first = await run('invite', 'back@own.example', '--account', '1');
    const token = tokenDigest(first.printed[0] ?? '');
    // As a file of rows takes a person out: without a word on tokens.
    await owner.query(
      `update ledger.memberships set removed_at = now() where account_id = 1
         and user_id = (select user_id from vault.user_emails where email = 'back@own.example')`,
    );
    const again = await run('invite', 'Back@own.example', '--account', '1', '--role', 'owner');
    expect(await findTokenHolder(reader, token)).toBeNull();
    expect(await findTokenHolder(reader, tokenDigest(again.printed[0] ?? ''))).toMatchObject({
      account_id: 1n,
    });
    expect((await listed(1)).at(-1)).toMatchObject({ role: 'owner', email: 'back@own.example' });
  });

  it('refuses a person who is in the account already, and an account that is not there; nothing changes', async () => {
    const before = await everything();
    for (const email of ['canary-22@kestrel.example', ' Canary-22@KESTREL.example']) {
      const { error, printed } = await run('invite', email, '--account', '2', '--role', 'owner');
      expect(printed).toEqual([]);
      expect(error).toMatchObject({
        code: 'person_refused',
        exitCode: 1,
        message: `Person 22, ${email.trim()}, is in account 2 already, as admin. Nothing was changed.`,
      });
    }
    expect((await run('invite', 'new@own.example', '--account', '99')).error).toMatchObject({
      code: 'not_found',
      message: 'There is no account 99 in this ledger.',
    });
    expect(await everything()).toEqual(before);
  });

  it.each([
    ['a blank inside', 'ben @own.example'],
    ['no host', 'ben@'],
    ['no at sign', 'ben'],
    ['two addresses', 'ben@own.example,kim@own.example'],
    ['a name around it', 'Ben <ben@own.example>'],
    ['an invisible sign', 'ben​@own.example'],
    ['a line break', 'ben@own.example\nkim'],
    ['nothing', ''],
    ['255 letters', `${'b'.repeat(243)}@own.example`],
  ])('refuses an e-mail address with %s', async (_, email) => {
    const { error } = await run('invite', email, '--account', '2');
    expect(error).toMatchObject({ code: 'commander.invalidArgument' });
  });

  it('refuses an unknown role and a blank name', async () => {
    for (const wrong of [
      ['--role', 'boss'],
      ['--name', ' '],
    ]) {
      const { error } = await run('invite', 'x@own.example', '--account', '2', ...wrong);
      expect(error).toMatchObject({ code: 'commander.invalidArgument' });
    }
  });
});

describe('people list', () => {
  it('shows a line for each person of the account, and no line for an unknown account', async () => {
    const { printed } = await run('list', '--account', '3');
    expect(printed[0]).toMatch(/^id +role +name +e-mail$/);
    expect(printed).toHaveLength(2);
    expect((await listed(1)).map(({ id }) => id)).not.toContain(7); // Person 7 has left.
    expect((await run('list', '--account', '99')).error).toMatchObject({ code: 'not_found' });
  });
});

describe('people remove', () => {
  it('takes out a person by id or e-mail address, and revokes the personal tokens of that person', async () => {
    const { printed } = await run('invite', 'gone@own.example', '--account', '3');
    const { id } = (await listed(3)).at(-1) ?? { id: 0 };
    expect((await run('remove', ' GONE@own.example', '--account', '3')).printed).toEqual([
      `person ${id} has left account 3, as admin; 1 personal token is revoked`,
    ]);
    expect(await findTokenHolder(reader, tokenDigest(printed[0] ?? ''))).toBeNull();
    await run('invite', 'gone@own.example', '--account', '3', '--role', 'viewer');
    expect((await run('remove', String(id), '--account', '3')).printed).toEqual([
      `person ${id} has left account 3, as viewer; 0 personal tokens are revoked`,
    ]);
    expect(await listed(3)).toHaveLength(1);
  });

  it('names the reporting tokens that stay valid: that of the sign-in with the command that ends it', async () => {
    const { said } = await run('invite', 'reads@own.example', '--account', '3', '--role', 'viewer');
    const { id } = (await listed(3)).at(-1) ?? { id: 0 };
    const [, command = ''] = /(token issue .*)$/.exec(said[2] ?? '') ?? [];
    const made = async (...args: readonly string[]): Promise<string> =>
      /^token (\d+) /.exec((await ofTokens(...args)).said[0] ?? '')?.[1] ?? '';
    const issue = ['issue', '--kind', 'reporting', '--name'];
    expect(command).toContain(`--name person-${id}`);
    const own = await made(...issue, `person-${id}`);
    const dead = await made(...issue, `person-${id}`);
    await ofTokens('revoke', dead);
    expect((await run('remove', String(id), '--account', '3')).said).toEqual([
      `the reporting token person-${id} is still valid; to end it: npx --no crossfoot token revoke ${own} --account 3`,
    ]);
    await ofTokens('revoke', own);
    await run('invite', 'issues@own.example', '--account', '3');
    const issuer = (await listed(3)).at(-1) ?? { id: 0 };
    const theirs = await made(...issue, 'warehouse', '--user', String(issuer.id));
    expect((await ofTokens('list')).printed.find((line) => line.startsWith(`${theirs} `))).toMatch(
      / never +not yet$/,
    );
    expect((await run('remove', String(issuer.id), '--account', '3')).said).toEqual([
      'still valid: 1 reporting token that the person issued; npx --no crossfoot token list --account 3 shows them',
    ]);
    await ofTokens('revoke', theirs);
  });

  it('refuses the last owner, a person of another account and a person who has left; nothing changes', async () => {
    const before = await everything();
    expect((await run('remove', '31', '--account', '3')).error).toMatchObject({
      code: 'person_refused',
      message: 'Person 31 is the last owner of account 3. Nothing was changed.',
      hint: expect.stringContaining('people invite <e-mail> --account 3 --role owner'),
    });
    // Person 31 is of account 3; person 999 and the address are of none. All three answers are the same.
    for (const person of ['31', '999', 'nobody@own.example']) {
      expect((await run('remove', person, '--account', '2')).error).toMatchObject({
        code: 'not_found',
        message: `Account 2 has no person ${person}.`,
      });
    }
    expect((await run('remove', '7', '--account', '1')).error).toMatchObject({
      code: 'person_refused',
      message: 'Person 7 has left account 1 already, at 2025-12-31 16:00 UTC. Nothing was changed.',
    });
    expect(await everything()).toEqual(before);
  });

  it('leaves one of two owners whom two commands remove at the same time', async () => {
    await run('invite', 'second-owner@own.example', '--account', '3', '--role', 'owner');
    const [one = 0, two = 0] = (await listed(3)).map(({ id }) => id);
    const [first, second] = [await database.client('cf_owner'), await database.client('cf_owner')];
    for (const client of [first, second]) await client.query('begin');
    await removePerson(first, 3n, BigInt(one));
    const waiting = await processOf(second);
    const outcome = outcomeOf(removePerson(second, 3n, BigInt(two)));
    await blockersOf(owner, waiting);
    await first.query('commit');
    expect(await outcome).toMatchObject({
      code: 'person_refused',
      message: expect.stringContaining('last owner'),
    });
    await second.query('rollback');
    expect(await listed(3)).toHaveLength(1);
  });
});
