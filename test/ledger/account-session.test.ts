import type { ClientBase, Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccountSession, asAccount } from '../../src/ledger/account-session.ts';
import { openPool } from '../../src/ledger/connect.ts';
import { startCuttingProxy } from '../support/cutting-proxy.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { type Founded, addCost, foundAccount, inAccount } from '../support/ledger-rows.ts';
import { itInSweeps } from '../support/sweeps.ts';

let database: TestDatabase;
let pool: Pool;
let home: Founded;
let other: Founded;
beforeAll(async () => {
  database = await createDatabase();
  pool = database.pool('cf_reader', 1);
  const owner = await database.client('cf_owner');
  home = await foundAccount(owner);
  other = await foundAccount(owner);
  for (const each of [home, other]) await inAccount(owner, each.account, () => addCost(owner, each));
});
afterAll(() => database.drop());

const SETTINGS = [
  'transaction_isolation',
  'transaction_read_only',
  'statement_timeout',
  'work_mem',
  'random_page_cost',
] as const;

async function settingsOf(client: Pick<ClientBase, 'query'>): Promise<readonly unknown[]> {
  const shown: unknown[] = [];
  for (const name of SETTINGS) {
    const { rows } = await client.query<Record<string, unknown>>(`show ${name}`);
    shown.push(rows[0]?.[name]);
  }
  return shown;
}

async function accountsOf(client: ClientBase): Promise<readonly unknown[]> {
  const { rows } = await client.query<{ account_id: bigint }>('select account_id from ledger.cost_entries');
  return rows.map(({ account_id }) => account_id);
}

const session = (of: Partial<AccountSession> = {}): AccountSession => ({
  account_id: home.account,
  timeout_ms: 7_000,
  ...of,
});

describe('a session of an account', () => {
  it('reads only, each statement for itself, looks rows up, and gives up in time', async () => {
    expect(await asAccount(pool, session(), settingsOf)).toEqual([
      'read committed',
      'on',
      '7s',
      '4MB',
      '1.1',
    ]);
  });

  it('for figures sees one moment, and groups in more memory', async () => {
    expect(await asAccount(pool, session({ forFigures: true }), settingsOf)).toEqual([
      'repeatable read',
      'on',
      '7s',
      '16MB',
      '4',
    ]);
  });

  it('sees its own account only, and leaves nothing to the next session', async () => {
    expect(await asAccount(pool, session(), accountsOf)).toEqual([home.account]);
    expect(await asAccount(pool, session({ account_id: other.account }), accountsOf)).toEqual([
      other.account,
    ]);
    expect((await pool.query('select from ledger.cost_entries')).rowCount).toBe(0);
    expect((await settingsOf(pool)).slice(2)).toEqual(['0', '4MB', '4']);
  });

  it('says that a statement took too long, and serves the next', async () => {
    const slow = asAccount(pool, session({ timeout_ms: 20 }), (client) =>
      client.query('select pg_sleep(60)'),
    );
    await expect(slow).rejects.toMatchObject({ code: 'statement_timed_out', status: 503 });
    expect(await asAccount(pool, session(), settingsOf)).toHaveLength(5);
  });

  it('hands on what went wrong inside it', async () => {
    const failing = asAccount(pool, session(), () => Promise.reject(new Error('not this')));
    await expect(failing).rejects.toThrow('not this');
  });

  it('says that the ledger broke off when its session ends between two statements, and serves the next', async () => {
    const admin = await database.admin();
    const ended = asAccount(pool, session(), async (client) => {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      const gone = new Promise<void>((resolve) => client.once('end', resolve));
      await admin.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
      await gone;
      await client.query('select 1');
    });
    await expect(ended).rejects.toMatchObject({ code: 'database_unreachable', status: 503 });
    expect(await asAccount(pool, session(), settingsOf)).toHaveLength(5);
  });
});

describe('a database that accepts and never answers', () => {
  it('fails a running statement a second after its timeout, and the session does not return to the pool', async () => {
    await using hanging = await openHanging();
    const waiting = asAccount(hanging.pool, session({ timeout_ms: 50 }), async (client) => {
      hanging.hang();
      await client.query('select 1');
    });
    // 50 ms of the statement and 1 s for the server to say that it cancelled it.
    await expect(waiting).rejects.toMatchObject({
      code: 'database_unreachable',
      status: 503,
      message: 'The database sent nothing for 1.05 s.',
    });
    expect(hanging.pool.totalCount).toBe(0);
  });

  itInSweeps(
    'fails the set-up of a pooled session within five seconds, and that session does not return to the pool',
    async () => {
      await using hanging = await openHanging();
      await asAccount(hanging.pool, session({ timeout_ms: 600_000 }), settingsOf);
      hanging.hang();
      await expect(
        asAccount(hanging.pool, session({ timeout_ms: 600_000 }), settingsOf),
      ).rejects.toMatchObject({
        code: 'database_unreachable',
        message: expect.stringMatching(/^The database sent nothing for (?:4\.\d+|5) s\.$/),
      });
      expect(hanging.pool.totalCount).toBe(0);
    },
  );
});

/** A pool of one session through a proxy that can be made to hang. */
async function openHanging() {
  const url = new URL(database.url('cf_reader'));
  const proxy = await startCuttingProxy(Number(url.port), { allowance: () => null });
  url.port = String(proxy.port);
  const options = { url: url.href, role: 'cf_reader', applicationName: 'test', onError: () => undefined };
  const hung = openPool({ ...options, max: 1 });
  return {
    pool: hung,
    hang: () => proxy.hang(),
    async [Symbol.asyncDispose]() {
      await proxy.close();
      await hung.end();
    },
  };
}
