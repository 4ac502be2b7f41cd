import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addReportingCommand } from '../../src/commands/reporting.ts';
import { reportingAccounts } from '../../src/commands/actions/build.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { type Ran, runCommand } from './in-process.ts';

let database: TestDatabase;
let owner: Client;

// Account 1 has reported since 2024, switched on by its owner, person 1; 2 is its admin, 3 a member, 7 has left.
// Account 3's plan lacks API access.
beforeAll(async () => {
  database = await createDatabase('template_company');
  owner = await database.client('cf_owner');
});
afterAll(() => database.drop());

function run(...args: readonly string[]): Promise<Ran> {
  const env = { DATABASE_URL: database.url('cf_reader'), OWNER_URL: database.url('cf_owner') };
  return runCommand(addReportingCommand, env, 'reporting', ...args);
}

async function state(account: number): Promise<unknown> {
  const { rows } = await owner.query(
    `select reporting_enabled_at is not null as "on", reporting_enabled_by_id as by from ledger.accounts where id = $1`,
    [account],
  );
  return rows[0];
}

it('a person of the account switches reporting off, so that no snapshot is built, and on again', async () => {
  expect((await run('off', '--account', '1')).printed).toEqual(['reporting of account 1 is off']);
  expect(await state(1)).toEqual({ on: false, by: null });
  expect(await reportingAccounts(database.url('cf_reader'))).not.toContain(1n);
  const ran = await run('on', '--account', '1', '--by', '2');
  expect(ran.printed).toEqual([
    expect.stringMatching(/^reporting of account 1 is on since \d{4}-\d\d-\d\d \d\d:\d\d UTC$/),
  ]);
  expect(await state(1)).toEqual({ on: true, by: 2n });
  expect(await reportingAccounts(database.url('cf_reader'))).toContain(1n);
});

it('reporting keeps the time and person of the first switch when it is switched on again', async () => {
  await run('off', '--account', '2');
  await run('on', '--account', '2', '--by', '21');
  const before = await owner.query('select reporting_enabled_at from ledger.accounts where id = 2');
  await run('on', '--account', '2', '--by', '22');
  expect(await state(2)).toEqual({ on: true, by: 21n });
  const after = await owner.query('select reporting_enabled_at from ledger.accounts where id = 2');
  expect(after.rows).toEqual(before.rows);
});

it.each([
  ['is only a member', '3'],
  ['has left', '7'],
  ['belongs to another account', '21'],
])('the command refuses a person who %s, and changes nothing', async (_, by) => {
  const before = await state(1);
  for (const way of ['on', 'off']) {
    const { error } = await run(way, '--account', '1', '--by', by);
    expect(error).toMatchObject({ code: 'member_refused', exitCode: 1 });
  }
  expect(await state(1)).toEqual(before);
});

it('the command says that nothing is built for a plan without API access', async () => {
  const ran = await run('on', '--account', '3');
  expect(ran.error).toBeUndefined();
  expect(ran.said).toEqual(['the plan of the account has no API access: no snapshot is built until it does']);
});

it('the command refuses an unknown account', async () => {
  expect((await run('on', '--account', '99')).error).toMatchObject({ code: 'not_found' });
});

async function keepsCloses(): Promise<unknown> {
  const asked = 'select close_pins_since is not null as kept from ledger.accounts where id = 1';
  return (await owner.query(asked)).rows[0];
}

it('the closes of an account are pinned from --close-pins until --no-close-pins', async () => {
  expect((await run('on', '--account', '1', '--close-pins')).printed[1]).toBe(
    'closes are pinned from now on',
  );
  await run('on', '--account', '1');
  expect(await keepsCloses()).toEqual({ kept: true });
  expect((await run('on', '--account', '1', '--no-close-pins')).printed[1]).toBe(
    'closes are no longer pinned',
  );
  expect(await keepsCloses()).toEqual({ kept: false });
});
