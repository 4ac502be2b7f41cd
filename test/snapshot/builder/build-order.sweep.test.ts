/** Builds after and beside each other: ids only grow, and what shrank is either true or refused. */
import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readLog } from '../../../src/snapshot/read/read-log.ts';
import type { Store } from '../../../src/store/store.ts';
import { askDuckDb } from '../../parquet/read-back.ts';
import { blockersOf, outcomeOf, processOf } from '../../support/waiting.ts';
import { clockAt } from './build-harness.ts';
import { pausedClient } from './faulty-tools.ts';
import { AT, type Asked, type BuildHarness, fileOf, listener, openBuildHarness } from './real-build.ts';

const SECOND = 1_000_000n;

let harness: BuildHarness;
let owner: Client;
let store: Store;
beforeAll(async () => {
  harness = await openBuildHarness();
  owner = await harness.database.client('cf_owner');
});
afterAll(() => harness.close());
beforeEach(async () => {
  store = await harness.emptyStore();
});

const build = (asked: Asked = {}) => harness.build({ store, ...asked });

async function publishedIds(): Promise<readonly string[]> {
  return (await readLog(store, 1n)).entries.map((entry) => entry.snapshot_id);
}

describe('a database clock that is not past the newest snapshot (F-34)', () => {
  it('is waited for, and the moment is then taken anew', async () => {
    await build();
    const moments = [AT - 2n * SECOND, AT + 2n * SECOND];
    const connect = (): Promise<Client> =>
      pausedClient(harness.connect, 'statement_timestamp', async ({ rows }) => {
        rows[0].instant = moments.shift();
      });
    const waits: number[] = [];
    const sleep = async (milliseconds: number): Promise<void> => void waits.push(milliseconds);
    const { events, onEvent } = listener();
    const built = await build({ at: undefined, connect, onEvent, clock: { ...clockAt(0n), sleep } });
    // From 01:59:58.123456 to the end of the second 02:00:00 are 2.876544 s, and a millisecond to be past it.
    expect(waits).toEqual([2877]);
    expect(events[0]).toEqual({ kind: 'moment.awaited', ms: 2877 });
    expect(built).toMatchObject({ outcome: 'published', snapshot_id: '20260715T020002Z' });
    expect(await publishedIds()).toEqual(['20260715T020000Z', '20260715T020002Z']);
  });

  it('refuses when it is minutes behind: a person must look', async () => {
    await build();
    await expect(build({ at: AT - 301n * SECOND })).rejects.toMatchObject({ code: 'clock_regressed' });
    expect(await publishedIds()).toEqual(['20260715T020000Z']);
  });
});

/** Builds at `early`, and lets another build at `late` publish before it does. */
async function overtaken(early: bigint, late: bigint) {
  const inner = store;
  let other: string | undefined;
  const slow: Store = {
    ...inner,
    async create(key, body) {
      if (key.endsWith('manifest.json') && other === undefined) other = (await build({ at: late })).outcome;
      return inner.create(key, body);
    },
  };
  const own = (await build({ at: early, store: slow })).outcome;
  return { own, other };
}

describe('two builds at once (F-3, F-36)', () => {
  it('publish both when the older moment comes first', async () => {
    expect(await overtaken(AT + SECOND, AT)).toEqual({ own: 'published', other: 'published' });
    expect(await publishedIds()).toEqual(['20260715T020000Z', '20260715T020001Z']);
  });

  it('publish the newer moment alone when that comes first', async () => {
    expect(await overtaken(AT, AT + SECOND)).toEqual({ own: 'superseded', other: 'published' });
    expect(await publishedIds()).toEqual(['20260715T020001Z']);
  });

  it('publish one of two in the same second', async () => {
    expect(await overtaken(AT, AT + 1n)).toEqual({ own: 'superseded', other: 'published' });
    expect(await publishedIds()).toEqual(['20260715T020000Z']);
  });
});

describe('a table that shrank', () => {
  const MANY = 1_000;

  beforeAll(() =>
    owner.query(`
      begin; set local app.account_id = '900';
      insert into ledger.accounts (id, name, plan, plan_includes_api, app_url, reporting_enabled_at)
        values (900, 'Busy', 'team', true, 'https://app.example', '2026-01-01Z');
      insert into ledger.initiatives (account_id, id, title, stage) values (900, 9001, 'Invoices', 'live');
      insert into ledger.cost_entries (account_id, initiative_id, amount_cents, currency, source_type, period_start)
        select 900, 9001, n, 'USD', 'manual', '2026-05-01' from generate_series(1, ${MANY}) n;
      insert into ledger.value_entries (account_id, initiative_id, amount_cents, currency, status, entry_type, source_type)
        values (900, 9001, 5, 'USD', 'approved', 'cost_savings', 'manual');
      commit`),
  );

  it('because the ledger did is published, with a warning in the events and in audit.json', async () => {
    await build({ account_id: 900n });
    await owner.query(`
      begin; set local app.account_id = '900';
      delete from ledger.cost_entries where account_id = 900 and amount_cents > 499;
      delete from ledger.value_entries where account_id = 900;
      commit`);
    const { events, onEvent } = listener();
    expect((await build({ account_id: 900n, at: AT + SECOND, onEvent })).outcome).toBe('published');
    const shrunk = [
      { table: 'reported_value', before: 1, rows: 0 },
      { table: 'costs', before: MANY, rows: 499 },
    ];
    expect(events.filter(({ kind }) => kind === 'table.shrunk')).toEqual(
      shrunk.map((table) => ({ kind: 'table.shrunk', ...table })),
    );
    const head = (await readLog(store, 900n)).entries.at(-1);
    const audit = await store.readSmall(`${head?.prefix}/audit.json`, 1_048_576);
    expect(JSON.parse(Buffer.from(audit ?? []).toString())).toMatchObject({
      passed: true,
      shrunk_tables: shrunk,
    });
  });
});

const BEGIN = `begin; set local app.account_id = '1'`;
const write = (month: string): string => `
  insert into ledger.cost_entries (account_id, initiative_id, amount_cents, currency, source_type, period_start)
  values (1, 101, 12345, 'USD', 'manual', '${month}')`;
const close = (month: string): string => `
  insert into ledger.accounting_months (account_id, month, status, locked_at) values (1, '${month}', 'locked', now())`;

/** The costs of a month as the latest snapshot has them. */
async function costsOf(month: string) {
  const [row] = await askDuckDb(
    fileOf(await harness.served(1n, store), 'costs'),
    `select count(*)::integer as rows, coalesce(sum(amount_cents), 0)::integer as cents, bool_or(locked) as locked
     from file where period_month = '${month}'`,
  );
  return row;
}

/** Two sessions of writers: the second waits for the first. */
async function inOrder(first: string, second: string) {
  const one = await harness.database.client('cf_writer');
  const two = await harness.database.client('cf_writer');
  await one.query(`${BEGIN}; ${first}`);
  const pid = await processOf(two);
  await two.query(BEGIN);
  const ended = outcomeOf(two.query(second));
  await blockersOf(owner, pid);
  return {
    async commit(): Promise<unknown> {
      await one.query('commit');
      const outcome = await ended;
      await two.query('commit');
      return outcome;
    },
  };
}

describe('a month that a snapshot sees locked (F-17)', () => {
  it('has its final sums when a write came before the close, which waits for it', async () => {
    const pair = await inOrder(write('2026-09-01'), close('2026-09-01'));
    await build();
    expect(await costsOf('2026-09-01')).toEqual({ rows: 0, cents: 0, locked: null });
    await pair.commit();
    await build({ at: AT + SECOND });
    expect(await costsOf('2026-09-01')).toEqual({ rows: 1, cents: 12_345, locked: true });
  });

  it('has its final sums when the close came first: the write that waited for it is refused', async () => {
    await owner.query(`${BEGIN}; ${write('2026-11-01')}; commit`);
    const pair = await inOrder(close('2026-11-01'), write('2026-11-01'));
    await build();
    expect(await costsOf('2026-11-01')).toEqual({ rows: 1, cents: 12_345, locked: false });
    expect(await pair.commit()).toMatchObject({ code: '23001' });
    await build({ at: AT + SECOND });
    expect(await costsOf('2026-11-01')).toEqual({ rows: 1, cents: 12_345, locked: true });
  });
});
