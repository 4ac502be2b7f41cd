import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from 'pg';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { fillAccount } from '../support/full-account.ts';
import { type Founded, addCost, foundAccount, inAccount, insert } from '../support/ledger-rows.ts';

let database: TestDatabase;
let owner: Client;
let reader: Client;
let writer: Client;
let first: Founded;
let second: Founded;

beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
  reader = await database.client('cf_reader');
  writer = await database.client('cf_writer');
  first = await foundAccount(owner);
  second = await foundAccount(owner);
  await fillAccount(owner, first);
  await fillAccount(owner, second);
});
afterAll(() => database.drop());

/** Every table and view with rows of accounts that a role may read, with the column that names the account. */
async function readable(db: Client): Promise<{ name: string; column: string }[]> {
  const { rows } = await db.query<{ name: string; column: string }>(
    `select format('%I.%I', nspname, relname) as name, attname::text as column
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and not attisdropped
       and attname = case when nspname = 'ledger' and relname = 'accounts' then 'id' else 'account_id' end
     where relkind in ('r', 'v') and nspname in ('ledger', 'vault', 'reporting')
       and has_schema_privilege(n.oid, 'usage') and has_column_privilege(c.oid, a.attnum, 'select') order by 1`,
  );
  return rows;
}

async function accountsSeen(db: Client): Promise<Record<string, readonly bigint[]>> {
  const seen: Record<string, readonly bigint[]> = {};
  for (const { name, column } of await readable(db)) {
    const { rows } = await db.query<{ account: bigint }>(
      `select distinct ${column} as account from ${name} order by 1`,
    );
    seen[name] = rows.map(({ account }) => account);
  }
  return seen;
}

const only = (seen: Record<string, readonly bigint[]>, account: bigint): string[] =>
  Object.entries(seen)
    .filter(([name, accounts]) =>
      name.startsWith('reporting.')
        ? accounts.some((id) => id !== account)
        : accounts.join() !== String(account),
    )
    .map(([name]) => name);

describe.each(['reader', 'writer'] as const)('a %s', (role) => {
  const session = (): Client => (role === 'reader' ? reader : writer);

  it('sees nothing before it has named an account', async () => {
    const seen = await accountsSeen(session());
    expect(Object.keys(seen).length).toBeGreaterThan(40);
    expect(Object.entries(seen).filter(([, accounts]) => accounts.length > 0)).toEqual([]);
    const people = await session().query('select from ledger.users');
    expect(people.rowCount).toBe(0);
  });

  it('sees the account it named and no other, in every table and view', async () => {
    for (const { account, person } of [first, second]) {
      await inAccount(session(), account, async () => {
        expect(only(await accountsSeen(session()), account)).toEqual([]);
        const people = await session().query('select id from ledger.users');
        expect(people.rows).toEqual([{ id: person }]);
      });
    }
  });

  it('sees nothing through an empty or foreign name, and an error through nonsense', async () => {
    for (const name of ["''", '0', '-1']) {
      await session().query(`begin; set local app.account_id = ${name}`);
      expect((await session().query('select from ledger.accounts')).rowCount).toBe(0);
      await session().query('rollback');
    }
    await session().query("begin; set local app.account_id = '1 or true'");
    await expect(session().query('select from ledger.accounts')).rejects.toMatchObject({ code: '22P02' });
    await session().query('rollback');
  });
});

describe('the named account', () => {
  it('is forgotten with its transaction, also when that fails', async () => {
    const count = async (): Promise<number | null> =>
      (await reader.query('select from ledger.initiatives')).rowCount;
    await inAccount(reader, first.account, () => reader.query('select 1'));
    expect(await count()).toBe(0);
    await expect(inAccount(reader, first.account, () => reader.query('select 1/0'))).rejects.toThrow(
      'division by zero',
    );
    expect(await count()).toBe(0);
  });

  it('A-5: never leaks to the next user of a pooled connection', async () => {
    const pool = database.pool('cf_reader', 1);
    const ask = async (account: bigint | null): Promise<readonly bigint[]> => {
      const client = await pool.connect();
      try {
        await client.query('begin');
        if (account !== null)
          await client.query("select set_config('app.account_id', $1, true)", [String(account)]);
        const { rows } = await client.query<{ id: bigint }>('select id from ledger.accounts');
        return rows.map(({ id }) => id);
      } finally {
        await client.query('commit');
        client.release();
      }
    };
    const accounts = Array.from(
      { length: 300 },
      (_, turn) => [first.account, null, second.account][turn % 3] ?? null,
    );
    const answers = await Promise.all(accounts.map(ask));
    expect(answers).toEqual(accounts.map((account) => (account === null ? [] : [account])));
  });
});

describe('a writer', () => {
  const refused = { code: '42501', message: expect.stringContaining('row-level security') };

  it('writes into no other account', async () => {
    await expect(inAccount(writer, first.account, () => addCost(writer, second))).rejects.toMatchObject(
      refused,
    );
    await expect(addCost(writer, first)).rejects.toMatchObject({ code: '42501' }); // none named
  });

  it('reaches no row of another to change or delete', async () => {
    for (const { name } of (await readable(writer)).filter((table) => table.name.startsWith('ledger.'))) {
      const may = await writer.query<{ may: boolean }>("select has_table_privilege($1, 'delete') as may", [
        name,
      ]);
      if (may.rows[0]?.may !== true) continue;
      const reached = await inAccount(writer, first.account, () =>
        writer.query(`delete from ${name} where account_id = $1`, [second.account]),
      );
      expect([name, reached.rowCount]).toEqual([name, 0]);
    }
  });

  it('names no neighbour’s row as its own', async () => {
    await expect(
      inAccount(writer, first.account, () => addCost(writer, { ...first, initiative: second.initiative })),
    ).rejects.toMatchObject({ code: '23503' });
  });

  it('renames only people of its account', async () => {
    const rename = "update ledger.users set name = 'Grace'";
    const renamed = await inAccount(writer, first.account, () => writer.query(rename));
    expect(renamed.rowCount).toBe(1);
  });

  it('adds a person, and then the address of one who belongs to it', async () => {
    await inAccount(writer, first.account, async () => {
      const { rows } = await writer.query<{ id: bigint }>(
        "select nextval(pg_get_serial_sequence('ledger.users', 'id')) as id",
      );
      const id = rows[0]?.id;
      await writer.query('insert into ledger.users (id, name) values ($1, $2)', [id, 'Lin']);
      await insert(writer, 'ledger.memberships', { account_id: first.account, user_id: id, role: 'member' });
      await writer.query('insert into vault.user_emails (user_id, email) values ($1, $2)', [
        id,
        'lin@acme.example',
      ]);
    });
    await expect(
      inAccount(writer, first.account, () =>
        writer.query('insert into vault.user_emails (user_id, email) values ($1, $2)', [
          second.person,
          'x@y.example',
        ]),
      ),
    ).rejects.toMatchObject(refused);
  });

  it('issues a token only for an owner or admin who is still there', async () => {
    const issue = (issued_by_id: bigint): Promise<unknown> =>
      inAccount(writer, first.account, () =>
        writer.query(
          `insert into vault.access_tokens (account_id, kind, name, prefix, last_four, checksum, sha256, issued_by_id)
           values ($1, 'personal', 'Notebook', 'cf_pat_', 'wxyz', '000000', sha256($2::text::bytea), $3)`,
          [first.account, issued_by_id, issued_by_id],
        ),
      );
    const person = await insert(owner, 'ledger.users', { name: 'Mo' });
    await insert(owner, 'ledger.memberships', { account_id: first.account, user_id: person, role: 'member' });
    await expect(issue(person)).rejects.toMatchObject({ code: '42501' });
    await owner.query("update ledger.memberships set role = 'admin' where user_id = $1", [person]);
    await expect(issue(person)).resolves.toMatchObject({ rowCount: 1 });
  });
});

describe('A-4: row security', () => {
  it('is on for every table with rows of an account or of people', async () => {
    const { rows } = await owner.query(
      `select c.oid::regclass::text as name from pg_class c
       where c.relkind = 'r' and c.relnamespace in ('ledger'::regnamespace, 'vault'::regnamespace) and not c.relrowsecurity
         and (c.relname in ('accounts', 'users', 'user_emails')
           or exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'account_id'))`,
    );
    expect(rows).toEqual([]);
  });

  it('asks every policy of a reader or writer for the account named', async () => {
    const { rows } = await owner.query(
      `select schemaname || '.' || tablename as name, policyname from pg_policies
       where roles && array['cf_reader', 'cf_writer']::name[]
         and coalesce(qual, '') not like $1`,
      ["%NULLIF(current_setting('app.account_id'::text, true), ''::text))::bigint%"],
    );
    expect(rows).toEqual([]);
  });

  it('holds through every view: each asks as its caller', async () => {
    const { rows } = await owner.query(
      `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where relkind in ('v', 'm') and nspname in ('ledger', 'vault', 'ops', 'reporting', 'service')
         and (relkind = 'm' or not coalesce(reloptions @> array['security_invoker=true'], false))`,
    );
    expect(rows).toEqual([]);
  });
});

describe('a writer that names no account', () => {
  const unnamed = {
    code: '42501',
    message: 'this transaction names no account, so it may not write initiatives',
    hint: expect.stringContaining('set local app.account_id'),
  };

  it('gets an error with the missing setting, for an insert and for changes that would find no row', async () => {
    for (const statement of [
      "insert into ledger.initiatives (account_id, title, stage) values (1, 'A', 'live')",
      "update ledger.initiatives set title = 'B'",
      'delete from ledger.initiatives',
    ]) {
      await expect(writer.query(statement)).rejects.toMatchObject(unnamed);
    }
    await inAccount(writer, first.account, () =>
      writer.query("update ledger.initiatives set category = 'B'"),
    );
  });

  it('gets this error at every table whose rows belong to an account', async () => {
    const { rows } = await owner.query<{ name: string }>(
      `select polrelid::regclass::text as name from pg_policy p where polname = 'own_account'
       and polrelid not in ('ledger.users'::regclass, 'vault.user_emails'::regclass) and not exists (
         select from pg_trigger t where t.tgrelid = p.polrelid and t.tgname = 'aa_require_account' and t.tgtype = 30)`,
    );
    expect(rows).toEqual([]);
  });
});
