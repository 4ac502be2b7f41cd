/** Whether a published snapshot still shows the ledger: `npm start` builds again when it does not. */
import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sourceTables } from '../../src/ledger/moment/source-tables.ts';
import { isStillCurrent, noteHandBuild, type SnapshotOrigin } from '../../src/ops/account-changes.ts';
import { addCost, type Founded, foundAccount, inAccount, insert } from '../support/ledger-rows.ts';
import { NIGHT, openTestQueue, type TestQueue } from './queue-harness.ts';

const TERMS = 'version 1, its tables and its key';
const SNAPSHOT_ID = '20260715T020000Z';
const DAY = 86_400_000_000n;
/** The bits of `pg_trigger.tgtype`. */
const EVENTS = { insert: 4, delete: 8, update: 16, truncate: 32 } as const;

let test: TestQueue;
let owner: Client;
let home: Founded;
let origin: SnapshotOrigin;

beforeAll(async () => {
  test = await openTestQueue();
  owner = await test.database.client('cf_owner');
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(async () => {
  home = await foundAccount(owner);
  await inAccount(owner, home.account, () => addCost(owner, home));
  origin = await publish();
});

/** Publishes the account's night through the queue, at the moment that the owner sees. */
async function publish(): Promise<SnapshotOrigin> {
  const moment = await readMoment();
  await test.enqueue([home.account]);
  const build = await test.queue.take();
  if (build === null) throw new Error('the night was not queued');
  await test.queue.complete(build, { outcome: 'published', snapshot_id: SNAPSHOT_ID, terms: TERMS });
  const { account } = home;
  return { account_id: account, snapshot_id: SNAPSHOT_ID, night: NIGHT.day, terms: TERMS, ...moment };
}

async function readMoment(): Promise<Pick<SnapshotOrigin, 'generated_at' | 'pg_snapshot'>> {
  const { rows } = await owner.query<{ at: string; seen: string }>(
    `select (extract(epoch from now()) * 1000000)::bigint::text as at, pg_current_snapshot()::text as seen`,
  );
  const [{ at, seen } = { at: '', seen: '' }] = rows;
  return { generated_at: BigInt(at), pg_snapshot: seen };
}

const current = (changes: Partial<SnapshotOrigin> = {}): Promise<boolean> =>
  isStillCurrent(test.service, { ...origin, ...changes });
const change = (text: string): Promise<unknown> => inAccount(owner, home.account, () => owner.query(text));

describe('a published snapshot', () => {
  it('is current while nothing of its account changes', async () => {
    const other = await foundAccount(owner);
    await inAccount(owner, other.account, () => addCost(owner, other));
    expect(await current()).toBe(true);
  });

  it.each([
    ['a cost', () => addCost(owner, home)],
    ['a deleted cost', () => change('delete from ledger.cost_entries')],
    ['a vendor', () => insert(owner, 'ledger.vendors', { account_id: home.account, name: 'Late' })],
    ['a setting of the account', () => change(`update ledger.accounts set fiscal_year_start_month = 7`)],
    ['a name of a person', () => change(`update ledger.users set name = 'Renamed'`)],
    [
      'a rate, which no account owns',
      () =>
        change(`insert into ledger.euro_reference_rates (currency, day, units_per_euro)
                    values ('GBP', '2026-03-31', 0.9) on conflict (currency, day) do update
                    set units_per_euro = ledger.euro_reference_rates.units_per_euro + 0.001`),
    ],
  ])('is not current after %s', async (_, apply) => {
    await inAccount(owner, home.account, async () => void (await apply()));
    expect(await current()).toBe(false);
  });

  it('is not current after a transaction that wrote before the build and committed after it', async () => {
    const late = await test.database.client('cf_owner');
    await inAccount(late, home.account, async () => {
      await addCost(late, home);
      origin = { ...origin, ...(await readMoment()) };
      expect(await current()).toBe(true);
    });
    expect(await current()).toBe(false);
  });

  it('is still current after a load of shared rows that changes none', async () => {
    await owner.query(`update ledger.platforms set name = name where false`);
    await owner.query(`delete from ledger.euro_reference_rates where false`);
    expect(await current()).toBe(true);
  });

  it('is not current on other terms, for another snapshot, or where the database lacks the finished job', async () => {
    expect(await current({ terms: 'version 2' })).toBe(false);
    expect(await current({ snapshot_id: '20260715T030000Z' })).toBe(false);
    expect(await current({ night: '2026-07-16' })).toBe(false);
    await test.service.query(`update ops.job set state = 'active' where name = 'build'`);
    expect(await current()).toBe(false);
  });

  it('is current if a command published it and noted so, until the ledger changes, and its night is not queued again', async () => {
    const other = await foundAccount(owner);
    const built = { account_id: other.account, night: NIGHT.day, snapshot_id: SNAPSHOT_ID, terms: TERMS };
    const byHand = { ...built, ...(await readMoment()) };
    expect(await current(byHand)).toBe(false);
    await noteHandBuild(test.service, { ...built, ms: 1_500 });
    expect([await current(byHand), await test.enqueue([other.account])]).toEqual([true, []]);
    expect(await current({ ...byHand, terms: 'version 2' })).toBe(false);
    await noteHandBuild(test.service, { ...built, snapshot_id: '20260715T030000Z', ms: 1_500 });
    expect(await current(byHand)).toBe(false);
    expect(await current({ ...byHand, snapshot_id: '20260715T030000Z' })).toBe(true);
    await inAccount(owner, other.account, () => addCost(owner, other));
    expect(await current({ ...byHand, snapshot_id: '20260715T030000Z' })).toBe(false);
  });

  it('leaves the job of its night to the worker that holds it', async () => {
    const other = await foundAccount(owner);
    await test.enqueue([other.account]);
    const held = await test.queue.take();
    const built = { account_id: other.account, night: NIGHT.day, snapshot_id: SNAPSHOT_ID, terms: TERMS };
    await noteHandBuild(test.service, { ...built, ms: 1_500 });
    expect(held?.account_id).toBe(other.account);
    expect(held !== null && (await test.queue.beat(held))).toBe(true);
  });

  it('is not current a day later, when changes may be forgotten, nor if it is dated in the future', async () => {
    expect(await current({ generated_at: origin.generated_at - DAY })).toBe(false);
    expect(await current({ generated_at: origin.generated_at + DAY })).toBe(false);
  });
});

it('each table that a build reads notes every kind of change', async () => {
  const { rows } = await owner.query<{ name: string; events: number }>(
    `select t.tgrelid::regclass::text as name, bit_or(t.tgtype & 60)::int as events
     from pg_trigger t join pg_proc p on p.oid = t.tgfoid
     where p.proname like 'note\\_%' group by 1`,
  );
  const noted = new Map(rows.map(({ name, events }) => [name, events]));
  // A new account has no snapshot, and the rows of a deleted account go with it. A person counts through memberships.
  const updates = ['ledger.accounts', 'ledger.users'];
  const all = EVENTS.insert | EVENTS.delete | EVENTS.update | EVENTS.truncate;
  for (const table of await sourceTables()) {
    expect([table, noted.get(table)]).toEqual([table, updates.includes(table) ? EVENTS.update : all]);
  }
});
