/** Ctrl-C ends a command that waits: for a lock of the ledger, or for what it reads. Then it has changed nothing. */
import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { endedInTime } from '../instances.ts';
import { addDeliverCommand } from '../../../src/commands/deliver/deliver.ts';
import { runCommandWith } from '../in-process.ts';
import { startProgram } from '../program.ts';

let database: TestDatabase;
let owner: Client;
beforeAll(async () => {
  database = await createDatabase('template_company');
  owner = await database.client('cf_owner');
});
afterAll(() => database.drop());

const env = () => ({
  LEDGER_URL: database.url('cf_reader'),
  DATABASE_URL: database.url('cf_service'),
  OWNER_URL: database.url('cf_owner'),
});

async function waits(): Promise<boolean> {
  const { rowCount } = await owner.query(
    `select from pg_stat_activity where datname = current_database()
       and application_name = 'crossfoot month' and wait_event_type = 'Lock'`,
  );
  return (rowCount ?? 0) > 0;
}

it('month close that waits for a load ends by Ctrl-C, and closes nothing afterwards', async () => {
  // A load writes costs: until its commit it holds the gate of the account.
  const load = await database.client('cf_owner');
  await load.query('begin');
  await load.query('select from ledger.account_gates where account_id = 1 for share');
  const program = startProgram(['month', 'close', '2025-05', '--account', '1', '--by', '1'], env());
  await expect.poll(waits).toBe(true);
  program.signalGroup('SIGINT');
  const outcome = await endedInTime(program);
  await load.query('commit');
  const late = await program.ended;
  const { rows } = await owner.query(
    `select status from ledger.accounting_months where account_id = 1 and month = '2025-05-01'`,
  );
  expect({ inTime: outcome !== null, code: late.code, stdout: late.stdout, rows }).toEqual({
    inTime: true,
    code: 1,
    stdout: [],
    rows: [],
  });
});

it('deliver add that waits for its secret ends when it is stopped', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'crossfoot-stopped-'));
  const secret = join(folder, 'secret');
  // The pipe gets no text.
  await promisify(execFile)('mkfifo', [secret]);
  const stop = new AbortController();
  const args = ['deliver', 'add', 's3://their-bucket/figures', '--account', '1'];
  const key = ['--access-key', 'AKIAEXAMPLE', '--secret-file', secret];
  const running = runCommandWith(
    { signal: stop.signal },
    addDeliverCommand,
    { SECRET_KEYS: 'k'.repeat(40), ...env() },
    ...args,
    ...key,
  );
  stop.abort(new Error('stopped by SIGTERM'));
  expect((await running).error).toMatchObject({ message: 'stopped by SIGTERM' });
  await (await open(secret, 'r+')).close(); // ends the reading
  await rm(folder, { recursive: true });
});
