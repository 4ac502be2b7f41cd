/** The session that a builder keeps from account to account holds nothing of the account before. */
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openClient } from '../../../src/ledger/connect.ts';
import { KeptSession } from '../../../src/run/builders/kept-session.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase('template_company');
});
afterAll(() => database.drop());

function open(): Promise<Client> {
  return openClient({ url: database.url('cf_reader'), role: 'cf_reader', applicationName: 'kept' });
}

async function none(): Promise<void> {}

async function pidOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

it.each([
  ['an account', "select set_config('app.account_id', '1', false)"],
  ['an account in an open transaction', "begin; select set_config('app.account_id', '1', true)"],
  ['a failed transaction', 'begin; select 1 / 0'],
  ['a temporary table', 'create temp table of_one as select 1 as account_id'],
  ['a cursor', "declare of_one cursor with hold for select 'row of account 1'"],
  ['a lock', 'select pg_advisory_lock(7)'],
  ['settings', "set work_mem = '1GB'; set time zone 'Asia/Tokyo'; set statement_timeout = 1000"],
])('a kept session that was left with %s is lent as it began', async (_, left) => {
  await using sessions = new KeptSession(open, none);
  const first = await sessions.lend();
  const state = `select current_setting('app.account_id', true) as account, current_user as role, now() = statement_timestamp() as fresh,
    current_setting('work_mem') as memory, current_setting('timezone') as zone, current_setting('statement_timeout') as timeout,
    (select count(*) from ledger.accounts) as accounts, (select count(*) from pg_cursors) as cursors,
    to_regclass('pg_temp.of_one') as temporary, (select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks`;
  const { rows: before } = await first.query(state);
  const pid = await pidOf(first);
  await first.query(left).catch(() => undefined);
  await sessions.giveBack(first);
  const second = await sessions.lend();
  expect(await pidOf(second)).toBe(pid);
  const { rows: after } = await second.query(state);
  // A setting that was set once is an empty text afterwards: row security sees no account in either.
  expect({ ...after[0], account: after[0].account || null }).toEqual(before[0]);
  expect(after[0].accounts).toBe(0n);
  await sessions.giveBack(second);
});

it('a kept session that was lost is replaced', async () => {
  await using sessions = new KeptSession(open, none);
  const pid = await sessions.use(pidOf);
  const admin = await database.admin();
  await admin.query('select pg_terminate_backend($1, 10000)', [pid]);
  expect(await sessions.use(pidOf)).not.toBe(pid);
});

it('a session is checked each time it is lent, and ended if it fails', async () => {
  let checks = 0;
  const ended: Client[] = [];
  const check = async (client: Client): Promise<void> => {
    checks += 1;
    if (checks < 3) return;
    ended.push(client);
    throw new Error('unsafe');
  };
  await using sessions = new KeptSession(open, check);
  await sessions.use(pidOf);
  await sessions.use(pidOf);
  await expect(sessions.lend()).rejects.toThrow('unsafe');
  await expect(ended[0]?.query('select 1')).rejects.toThrow(/closed|not queryable/);
});

it('a session whose work failed is not kept', async () => {
  await using sessions = new KeptSession(open, none);
  let pid = 0;
  const failing = sessions.use(async (client) => {
    pid = await pidOf(client);
    throw new Error('failed');
  });
  await expect(failing).rejects.toThrow('failed');
  expect(await sessions.use(pidOf)).not.toBe(pid);
});
