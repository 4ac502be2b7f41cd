/** /roi while the ledger changes beside it: worked out anew for each change of the account, and for nothing else. */
import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Day } from '../../../src/figures/calendar.ts';
import { changedInitiatives, changedSince, readSeen } from '../../../src/ledger/lists/account-changes.ts';
import { asAccount } from '../../../src/ledger/account-session.ts';
import { createFigureSlots } from '../../../src/serve/limits/figure-slots.ts';
import { tidyAccountChanges } from '../../../src/ops/account-changes.ts';
import { answerRoi, createRoiCaches, readRoi, type RoiParts } from '../../../src/serve/live/ledger-roi.ts';
import { readFiscalYearStart } from '../../../src/ledger/accounts.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import {
  addCost,
  addInitiative,
  addValue,
  type Founded,
  foundAccount,
  inAccount,
} from '../../support/ledger-rows.ts';

let database: TestDatabase;
let owner: Client;
let home: Founded;
let today: Day;
let workedOut: number;
let parts: RoiParts;

beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
  const pool = database.pool('cf_reader', 6);
  parts = {
    figureSlots: createFigureSlots(),
    inAccount: (session, run) => {
      if (session.forFigures === true) workedOut += 1;
      return asAccount(pool, session, run);
    },
    readToday: async () => today,
    ...createRoiCaches(),
  };
});
afterAll(() => database.drop());
beforeEach(async () => {
  home = await foundAccount(owner);
  await inAccount(owner, home.account, () => addCost(owner, home)); // 100.00 dollars
  today = '2026-07-15';
  workedOut = 0;
});

const ALL_TIME = { window: { kind: 'trailing', key: 'all' }, include_sample: false } as const;

/** What the account's portfolio costs, in cents. */
async function cost(initiative_id?: bigint): Promise<number> {
  const named = initiative_id === undefined ? ALL_TIME : { ...ALL_TIME, initiative_id };
  return (await answerRoi(parts, home.account, named)).total_cost_cents;
}

const change = (text: string): Promise<unknown> =>
  inAccount(owner, home.account, () => owner.query(text, [home.account]));

const year = async (): Promise<number> => {
  const window = { kind: 'fiscal', year: 2026, quarter: null } as const;
  return (await answerRoi(parts, home.account, { window, include_sample: false })).total_cost_cents;
};

const starts = (month: number) =>
  change(`update ledger.accounts set fiscal_year_start_month = ${month} where id = $1`);

describe('/roi', () => {
  it('is worked out once while nothing of the account changes', async () => {
    const other = await foundAccount(owner);
    expect(await cost()).toBe(10_000);
    await inAccount(owner, other.account, () => addCost(owner, other));
    expect(await cost()).toBe(10_000);
    expect(workedOut).toBe(1);
  });

  it('is worked out once for simultaneous requests', async () => {
    expect(await Promise.all([cost(), cost(), cost(), cost()])).toEqual([10_000, 10_000, 10_000, 10_000]);
    expect(workedOut).toBe(1);
  });

  it('is cached by scope and window', async () => {
    const second = await inAccount(owner, home.account, () => addInitiative(owner, home.account));
    expect([await cost(), await cost(second), await cost(home.initiative)]).toEqual([10_000, 0, 10_000]);
    expect(workedOut).toBe(3);
  });

  it('follows each change: added, changed, moved to a sample and back, deleted', async () => {
    expect(await cost()).toBe(10_000);
    await inAccount(owner, home.account, () => addCost(owner, home, { amount_cents: 2_500 }));
    expect(await cost()).toBe(12_500);
    await change(
      'update ledger.cost_entries set amount_cents = 3_000 where account_id = $1 and amount_cents = 2_500',
    );
    expect(await cost()).toBe(13_000);
    await change('update ledger.initiatives set is_sample = true where account_id = $1');
    expect(await cost()).toBe(0);
    await change('update ledger.initiatives set is_sample = false where account_id = $1');
    expect(await cost()).toBe(13_000);
    await change('delete from ledger.cost_entries where account_id = $1 and amount_cents = 3_000');
    expect(await cost()).toBe(10_000);
    expect(workedOut).toBe(6);
  });

  it('reads only the initiatives whose entries changed, and adds up the same as everything read anew', async () => {
    const { account } = home;
    const write = (run: () => Promise<unknown>) => inAccount(owner, account, run);
    const others: bigint[] = [];
    await write(async () => {
      while (others.length < 3) others.push(await addInitiative(owner, account));
    });
    const [second = 0n, third = 0n, fourth = 0n] = others;
    const on = (initiative: bigint): Founded => ({ ...home, initiative });
    const capacity = { entry_type: 'capacity', period_start: '2026-03-01', period_end: '2026-03-31' };
    const all = () => answerRoi(parts, account, ALL_TIME);
    const reader = await database.client('cf_reader');
    const anew = () =>
      inAccount(reader, account, async () => {
        const moment = { as_of: today, fiscal_year_start_month: await readFiscalYearStart(reader, account) };
        return await readRoi(reader, { ...ALL_TIME, account_id: account, moment });
      });
    await all();
    const changes: readonly (() => Promise<unknown>)[] = [
      () => addCost(owner, on(second), { amount_cents: 2_500 }),
      () => addCost(owner, on(third), { amount_cents: 900, currency: 'CHF' }),
      () => addCost(owner, on(fourth), { amount_cents: 77 }),
      () =>
        owner.query('delete from ledger.cost_entries where account_id = $1 and amount_cents = 77', [account]),
      () => addValue(owner, on(second), { ...capacity, amount_cents: 8_000 }),
      () => addValue(owner, on(third), { ...capacity, entry_type: 'capacity_realized', amount_cents: 9_000 }),
      () =>
        owner.query(
          `update ledger.cost_entries set initiative_id = ${third} where account_id = $1 and amount_cents = 2_500`,
          [account],
        ),
      () =>
        owner.query(
          `update ledger.initiatives set is_sample = true where account_id = $1 and id = ${third}`,
          [account],
        ),
      () =>
        owner.query(
          `update ledger.initiatives set is_sample = false where account_id = $1 and id = ${third}`,
          [account],
        ),
      () =>
        owner.query(`delete from ledger.cost_entries where account_id = $1 and currency = 'CHF'`, [account]),
      () => owner.query(`delete from ledger.initiatives where account_id = $1 and id = ${third}`, [account]),
    ];
    for (const apply of changes) {
      await write(apply);
      expect(await all()).toEqual(await anew());
    }
    // 10,000 of the first; of the second 8,000 of freed capacity; the third took its 2,500 with it.
    expect(await all()).toMatchObject({ total_cost_cents: 10_000, freed_capacity_cents: 8_000 });
  });

  it('counts a statement on more than a hundred initiatives as a change of the whole account', async () => {
    await change(`
      with made as (
        insert into ledger.initiatives (account_id, title, stage)
        select $1, 'One of many', 'live' from generate_series(1, 100) returning id)
      insert into ledger.cost_entries
        (account_id, initiative_id, amount_cents, currency, period_start, period_end, source_type)
      select $1, id, 100, 'USD', '2026-03-01', '2026-03-31', 'manual' from made`);
    const reader = await database.client('cf_reader');
    const touched = async (initiatives: number): Promise<readonly bigint[] | null> => {
      const seen = await inAccount(reader, home.account, () => readSeen(reader));
      await change(`
        update ledger.cost_entries set notes = 'seen' where account_id = $1 and initiative_id in (
          select id from ledger.initiatives where account_id = $1 order by id limit ${initiatives})`);
      return inAccount(reader, home.account, () => changedInitiatives(reader, home.account, seen));
    };
    expect(await touched(100)).toHaveLength(100);
    expect(await touched(101)).toBeNull();
  });

  it('follows value that is approved', async () => {
    const value = (): Promise<number> =>
      answerRoi(parts, home.account, ALL_TIME).then((roi) => roi.cash_value_cents);
    expect(await value()).toBe(0);
    await inAccount(owner, home.account, () => addValue(owner, home)); // 500.00 dollars
    expect(await value()).toBe(50_000);
  });

  it('misses no change that was made before it was asked and committed after', async () => {
    const writer = await database.client('cf_owner');
    await writer.query('begin');
    await writer.query("select set_config('app.account_id', $1, true)", [String(home.account)]);
    await addCost(writer, home, { amount_cents: 700 });
    await foundAccount(owner); // a later transaction that is committed earlier
    expect(await cost()).toBe(10_000);
    expect(await cost()).toBe(10_000);
    expect(workedOut).toBe(1);
    await writer.query('commit');
    expect(await cost()).toBe(10_700);
  });

  it('follows a statement that removes all rows of a table at once', async () => {
    await inAccount(owner, home.account, () => addValue(owner, home)); // 500.00 dollars
    const net = async (): Promise<number> => (await answerRoi(parts, home.account, ALL_TIME)).net_value_cents;
    expect(await net()).toBe(40_000); // 50,000 − 10,000
    await owner.query('truncate ledger.cost_entries');
    expect(await net()).toBe(50_000);
    await owner.query('truncate ledger.value_entries cascade');
    expect(await net()).toBe(0);
  });

  it('is worked out anew where the ledger was restored beneath the server', async () => {
    await cost();
    // As a dump is restored: the same rows in a table that is made anew.
    await owner.query('create table ops.restored (like ops.account_changes including all)');
    await owner.query('insert into ops.restored select * from ops.account_changes');
    await owner.query('alter table ops.account_changes rename to gone');
    await owner.query('alter table ops.restored rename to account_changes');
    await owner.query('grant select, delete, update on ops.account_changes to cf_service');
    await cost();
    expect(workedOut).toBe(2);
  });

  it('is worked out anew where another server has taken over', async () => {
    const reader = await database.client('cf_reader');
    await inAccount(reader, home.account, async () => {
      const seen = await readSeen(reader);
      expect(await changedSince(reader, home.account, seen)).toBe(false);
      const started = /^\d+\.\d+/.exec(seen)?.[0] ?? 'nothing';
      const later = seen.replace(started, String(Number(started) + 60));
      expect(await changedSince(reader, home.account, later)).toBe(true);
    });
  });

  it('is not worked out anew for a change that was taken back', async () => {
    expect(await cost()).toBe(10_000);
    const writer = await database.client('cf_owner');
    await writer.query('begin');
    await writer.query("select set_config('app.account_id', $1, true)", [String(home.account)]);
    await addCost(writer, home);
    await writer.query('rollback');
    expect(await cost()).toBe(10_000);
    expect(workedOut).toBe(1);
  });

  it('is worked out anew on another day', async () => {
    await cost();
    today = '2026-07-16';
    await cost();
    expect(workedOut).toBe(2);
  });

  it('has no sums of an earlier day, of which the ledger may have forgotten the changes', async () => {
    expect(await cost()).toBe(10_000);
    await inAccount(owner, home.account, () => addCost(owner, home, { amount_cents: 2_500 }));
    const admin = await database.admin();
    await admin.query('delete from ops.entry_changes where account_id = $1', [home.account]);
    today = '2026-07-19';
    expect(await cost()).toBe(12_500);
  });

  it('has the same sums over all time where only the fiscal year changed', async () => {
    expect(await cost()).toBe(10_000);
    await starts(9);
    expect(await cost()).toBe(10_000);
    expect(workedOut).toBe(2);
  });

  it('is worked out anew where the fiscal year begins in another month', async () => {
    await starts(1);
    expect(await year()).toBe(10_000);
    await starts(3);
    expect(await year()).toBe(0); // March 2026 is the first month of FY2027
  });

  it('forgets after three days which transactions changed an account, and no earlier', async () => {
    const admin = await database.admin();
    const noted = async (): Promise<number | null> =>
      (await admin.query('select from ops.account_changes where account_id = $1', [home.account])).rowCount;
    const service = database.pool('cf_service', 1);
    const before = await noted();
    await admin.query(
      "update ops.account_changes set at = at - interval '2 days 23 hours' where account_id = $1",
      [home.account],
    );
    await tidyAccountChanges(service);
    expect(await noted()).toBe(before);
    await admin.query("update ops.account_changes set at = at - interval '2 hours' where account_id = $1", [
      home.account,
    ]);
    await tidyAccountChanges(service);
    expect(await noted()).toBe(0);
  });
});
