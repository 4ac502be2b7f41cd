/** A build of an account with a large table reads over two connections at one moment. */
import type { Client } from 'pg';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { SqlScript } from '../../../src/sql-scripts.ts';
import type { BuildEvent } from '../../../src/snapshot/builder/events.ts';
import { readChecks } from '../../snapshot/audit/audited-files.ts';
import { cutOff, faultyClient, pausedClient } from '../../snapshot/builder/faulty-tools.ts';
import {
  type BuildHarness,
  change,
  openBuildHarness,
  untilNoSession,
} from '../../snapshot/builder/real-build.ts';

/** One row more than the first batch of a file holds. */
const MANY = 16_385;

let harness: BuildHarness;
let owner: Client;
let checks: readonly SqlScript[];
let connected = 0;

beforeAll(async () => {
  [harness, checks] = await Promise.all([openBuildHarness(), readChecks()]);
  owner = await harness.database.client('cf_owner');
  await owner.query(`
    begin; set local app.account_id = '900';
    insert into ledger.accounts (id, name, plan, plan_includes_api, app_url, reporting_enabled_at)
      values (900, 'Large', 'team', true, 'https://app.example', '2026-01-01Z');
    insert into ledger.initiatives (account_id, id, title, stage) values (900, 9001, 'Invoices', 'live');
    insert into ledger.cost_entries (account_id, initiative_id, amount_cents, currency, source_type, period_start)
      select 900, 9001, n, 'USD', 'manual', '2026-05-01' from generate_series(1, ${MANY}) n;
    commit`);
});
afterAll(() => harness.close());
beforeEach(() => {
  connected = 0;
});

/** Connections of which the test changes the one with this number, counted from 1. */
function changing(number: number, changed: (connect: () => Promise<Client>) => Promise<Client>) {
  return () => {
    connected += 1;
    return connected === number ? changed(harness.connect) : harness.connect();
  };
}

const ordinary = (connect: () => Promise<Client>): Promise<Client> => connect();

/** The files of a build over two connections, made once. */
let overTwo: ReturnType<typeof built> | undefined;
const filesOverTwo = async (): Promise<Record<string, unknown>> =>
  (await (overTwo ??= built(harness.connect))).files;

/** Builds with the whole audit into a store of its own; gives what is served. */
async function built(connect: () => Promise<Client>) {
  const store = await harness.emptyStore();
  const events: BuildEvent[] = [];
  const onEvent = (event: BuildEvent): void => void events.push(event);
  await harness.build({ account_id: 900n, connect, checks, store, onEvent });
  const served = await harness.served(900n, store);
  const files = Object.fromEntries([...(served?.bytes ?? [])].map(([name, bytes]) => [name, bytes]));
  return { files, events };
}

// A build connects for its moment, then beside it if a table is large, then to confirm that the account still reports.
it('a second connection joins the moment: a later write is in neither its files nor its totals', async () => {
  const before = await built(changing(0, ordinary));
  expect(connected).toBe(3);
  connected = 0;
  const act = (): Promise<void> =>
    change(
      owner,
      `insert into ledger.cost_entries (account_id, initiative_id, amount_cents, currency, source_type, period_start)
         values (900, 9001, 77700, 'USD', 'manual', '2026-05-01')`,
      900n,
    );
  // The audit compares the files of the first connection with figures and control totals of the second.
  const during = await built(changing(1, (connect) => pausedClient(connect, 'pg_export_snapshot', act)));
  expect(connected).toBe(3);
  expect(during.files).toEqual(before.files);
  await change(
    owner,
    `delete from ledger.cost_entries where account_id = 900 and amount_cents = 77700`,
    900n,
  );
});

it('a build over one connection writes the same bytes where the database grants no second', async () => {
  const two = await filesOverTwo();
  const one = await built(changing(2, () => Promise.reject(new Error('too many connections'))));
  expect(one.files).toEqual(two);
});

it.each([
  [
    'another server, which does not know the snapshot',
    'set transaction snapshot',
    `set transaction snapshot '0-0-1'`,
  ],
  ['a locked table', 'lock table', `do $$ begin raise lock_not_available; end $$`],
  ['another moment', 'set transaction snapshot', 'select 1'],
])('a build over one connection writes the same bytes if the second meets %s', async (_, words, instead) => {
  const two = await filesOverTwo();
  const one = await built(changing(2, (connect) => faultyClient(connect, words, () => instead)));
  expect(connected).toBe(3);
  expect(one.files).toEqual(two);
});

it.each(['begin', 'fetch 2000', 'from ledger.cost_entries', 'commit'])(
  'a build fails, and leaves no session and no file, when its second connection is lost at "%s"',
  async (words) => {
    const lost = changing(2, (connect) => faultyClient(connect, words, cutOff));
    await expect(built(lost)).rejects.toThrow(/connection|closed|stream|broke off/i);
    await untilNoSession(await harness.database.admin());
    expect(await readdir(join(harness.spool, '..', '900'))).toEqual([]);
  },
);
