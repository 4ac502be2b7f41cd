import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from 'pg';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import {
  type Founded,
  addCost,
  addInitiative,
  addValue,
  foundAccount,
  inAccount,
  insert,
  lockMonth,
  reopenMonth,
} from '../support/ledger-rows.ts';

const MARCH = '2026-03-01';

let database: TestDatabase;
let owner: Client;
let writer: Client;
let home: Founded;

beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
  writer = await database.client('cf_writer');
});
afterAll(() => database.drop());
beforeEach(async () => {
  home = await foundAccount(owner);
});

const write = <Result>(work: () => Promise<Result>): Promise<Result> => inAccount(writer, home.account, work);

async function stampOf(table: string, id: bigint | string): Promise<bigint> {
  const key = table === 'platforms' ? 'key' : 'id';
  const { rows } = await owner.query<{ updated_at: bigint }>(
    `select updated_at from ledger.${table} where ${key} = $1`,
    [id],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`${table} ${id} is not there`);
  return row.updated_at;
}

type Named = readonly [table: string, id: bigint];

/** Expects that `change` moves the stamps of `moved` in its own transaction, and leaves those of `still` alone. */
async function expectMoved(
  change: () => Promise<unknown>,
  moved: readonly Named[],
  still: readonly Named[] = [],
): Promise<void> {
  const before = new Map<Named, bigint>();
  for (const row of [...moved, ...still]) before.set(row, await stampOf(...row));
  await change();
  for (const row of moved)
    expect([row, (await stampOf(...row)) > (before.get(row) ?? 0n)]).toEqual([row, true]);
  for (const row of still) expect([row, await stampOf(...row)]).toEqual([row, before.get(row)]);
}

const byOwner = (text: string, values: readonly unknown[]) => (): Promise<unknown> =>
  owner.query(text, [...values]);
const byWriter = (text: string, values: readonly unknown[]) => (): Promise<unknown> =>
  write(() => writer.query(text, [...values]));

describe('a stamp', () => {
  it('is the clock when the row was written, not the start of its transaction', async () => {
    await owner.query('begin');
    const { rows } = await owner.query<{ began: bigint; passed: boolean }>(
      `select transaction_timestamp() as began, clock_timestamp() > transaction_timestamp() as passed`,
    );
    const first = await addInitiative(owner, home.account);
    const second = await addInitiative(owner, home.account);
    await owner.query('commit');
    const [start] = rows;
    expect(start?.passed).toBe(true);
    expect(await stampOf('initiatives', first)).toBeGreaterThan(start?.began ?? 0n);
    expect(await stampOf('initiatives', second)).toBeGreaterThan(await stampOf('initiatives', first));
  });

  it('is not the writer’s to choose', async () => {
    const id = await addInitiative(owner, home.account, { updated_at: '2001-01-01Z' });
    const { rows } = await owner.query<{ created: bigint }>(
      'select created_at as created from ledger.accounts where id = $1',
      [home.account],
    );
    expect(await stampOf('initiatives', id)).toBeGreaterThan(rows[0]?.created ?? 0n);
    const before = await stampOf('initiatives', id);
    await owner.query("update ledger.initiatives set updated_at = '2001-01-01Z' where id = $1", [id]);
    expect(await stampOf('initiatives', id)).toBeGreaterThan(before);
  });

  it('is on every table that has one, as the last word before a row is written', async () => {
    const { rows } = await owner.query<{ relation: string; last: string | null }>(
      `select c.relname as relation,
         (select tgname from pg_trigger t
          where t.tgrelid = c.oid and not t.tgisinternal and t.tgtype & 3 = 3 and t.tgtype & 20 > 0
          order by tgname collate "C" desc limit 1) as last
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'updated_at'
       where c.relnamespace = 'ledger'::regnamespace and c.relkind = 'r' order by 1`,
    );
    expect(rows.length).toBeGreaterThan(15);
    expect(rows.filter((row) => row.last !== 'zz_stamp')).toEqual([]);
  });
});

describe('updated_at moves with what is served from elsewhere:', () => {
  it('a month locked, reopened, moved or forgotten', async () => {
    const march: Named[] = [
      ['cost_entries', await addCost(owner, home)],
      ['value_entries', await addValue(owner, home)],
    ];
    const draft: Named = ['value_entries', await addValue(owner, home, { status: 'draft' })]; // never locked
    const undated: Named = [
      'value_entries',
      await addValue(owner, home, { period_start: null, period_end: null }),
    ];
    const april: Named = [
      'cost_entries',
      await addCost(owner, home, { period_start: '2026-04-01', period_end: null }),
    ];
    const still = [draft, undated];
    await expectMoved(() => write(() => lockMonth(writer, home.account, MARCH)), march, [...still, april]);
    await expectMoved(() => write(() => reopenMonth(writer, home.account, MARCH)), march, [...still, april]);
    await expectMoved(() => write(() => lockMonth(writer, home.account, MARCH)), march, [...still, april]);
    const toApril = "update ledger.accounting_months set month = '2026-04-01' where account_id = $1";
    await expectMoved(byWriter(toApril, [home.account]), [...march, april], still);
    await expectMoved(
      byWriter('delete from ledger.accounting_months where account_id = $1', [home.account]),
      [april],
      [...march, ...still],
    );
  });

  it('an undated cost with the month of its booking day', async () => {
    const booked = await addCost(owner, home, {
      period_start: null,
      period_end: null,
      created_at: '2026-03-31 23:59Z',
    });
    await expectMoved(() => write(() => lockMonth(writer, home.account, MARCH)), [['cost_entries', booked]]);
  });

  it('not when a month changes state without locking', async () => {
    const cost = await addCost(owner, home);
    const month = { account_id: home.account, month: MARCH, status: 'in_review' };
    await expectMoved(
      () => write(() => insert(writer, 'ledger.accounting_months', month)),
      [],
      [['cost_entries', cost]],
    );
  });

  it('a vendor merged into another', async () => {
    const gone = await addCost(owner, home, { vendor_name: 'Acme Inc' });
    const kept = await addCost(owner, home, { vendor_name: 'Acme' });
    await expectMoved(
      byWriter(
        `update ledger.vendors set merged_into_id = (select id from ledger.vendors where account_id = $1 and name = 'Acme')
         where account_id = $1 and name = 'Acme Inc'`,
        [home.account],
      ),
      [['cost_entries', gone]],
      [['cost_entries', kept]],
    );
  });

  it('a conversion', async () => {
    const convert = (table: string): string =>
      `update ledger.${table} set usd_rate = 1.1, usd_rate_from = '2026-03-02', usd_rate_through = '2026-03-31' where id = $1`;
    for (const [table, id] of [
      ['cost_entries', await addCost(owner, home, { currency: 'EUR' })],
      ['value_entries', await addValue(owner, home, { currency: 'EUR' })],
    ] as const) {
      await expectMoved(byOwner(convert(table), [id]), [[table, id]]);
    }
  });

  it('a decision’s initiative deleted', async () => {
    const decision = await addDecision(home.initiative);
    await expectMoved(byWriter('delete from ledger.initiatives where id = $1', [home.initiative]), [
      ['portfolio_decisions', decision],
    ]);
  });

  it('going live, for the basis of value', async () => {
    const value = await addValue(owner, home);
    const cost = await addCost(owner, home);
    const live = "update ledger.initiatives set went_live_at = '2026-02-01Z' where id = $1";
    await expectMoved(
      byWriter(live, [home.initiative]),
      [['value_entries', value]],
      [['cost_entries', cost]],
    );
    await expectMoved(byWriter(live, [home.initiative]), [], [['value_entries', value]]);
  });

  it('a sample mark', async () => {
    const metric = await addMetric();
    const moved: Named[] = [
      ['cost_entries', await addCost(owner, home)],
      ['value_entries', await addValue(owner, home)],
      ['observations', await addReading(metric, home.initiative)],
    ];
    const apart: Named = ['observations', await addReading(metric, null)];
    await expectMoved(
      byWriter('update ledger.initiatives set is_sample = true where id = $1', [home.initiative]),
      moved,
      [apart],
    );
  });

  it('a person renamed', async () => {
    const other = await foundAccount(owner);
    const initiative = await addInitiative(owner, home.account, { owner_id: home.person });
    const decision = await addDecision(null, home.person);
    const connection = await addConnection({ connected_by_id: home.person });
    await expectMoved(
      byWriter("update ledger.users set name = 'Grace' where id = $1", [home.person]),
      [
        ['initiatives', initiative],
        ['portfolio_decisions', decision],
        ['connections', connection],
      ],
      [
        ['initiatives', home.initiative],
        ['initiatives', other.initiative],
      ],
    );
  });

  it('a platform renamed, or a connection pointed at another, for the provenance of value', async () => {
    const connection = await addConnection();
    const synced = await addValue(owner, home, { source_type: 'integration', connection_id: connection });
    const typed = await addValue(owner, home);
    const still: Named[] = [['value_entries', typed]];
    await expectMoved(
      byOwner("update ledger.platforms set name = name || '!' where key = 'books'", []),
      [['value_entries', synced]],
      still,
    );
    await expectMoved(
      byWriter("update ledger.connections set platform_key = 'cards' where id = $1", [connection]),
      [
        ['value_entries', synced],
        ['connections', connection],
      ],
      still,
    );
  });

  it('a metric’s key', async () => {
    const metric = await addMetric();
    const reading = await addReading(metric, null);
    await expectMoved(
      byWriter("update ledger.metrics set metric_key = 'other.key' where id = $1", [metric]),
      [['observations', reading]],
    );
  });

  it('the categories of a connection and of its platform', async () => {
    const connection: Named = ['connections', await addConnection()];
    const other: Named = ['connections', await addConnection({ platform_key: 'cards' })];
    const category = await insert(owner, 'ledger.connection_primary_categories', {
      account_id: home.account,
      connection_id: other[1],
      category: 'finance',
    });
    const steps = [
      byWriter('update ledger.connection_primary_categories set connection_id = $2 where id = $1', [
        category,
        connection[1],
      ]),
      byWriter("update ledger.connection_primary_categories set category = 'sales' where id = $1", [
        category,
      ]),
      byWriter('delete from ledger.connection_primary_categories where id = $1', [category]),
      byOwner("insert into ledger.platform_metric_categories values ('books', 'finance')", []),
      byOwner(
        "update ledger.platform_metric_categories set category = 'sales' where platform_key = 'books'",
        [],
      ),
      byOwner("delete from ledger.platform_metric_categories where platform_key = 'books'", []),
    ];
    const [first, ...rest] = steps;
    if (first !== undefined) await expectMoved(first, [connection, other]);
    for (const step of rest) await expectMoved(step, [connection], [other]);
  });

  it('an approval decided', async () => {
    const value = await addValue(owner, home);
    const decide = (decision: string) => (): Promise<unknown> =>
      write(() =>
        insert(writer, 'ledger.approval_decisions', {
          account_id: home.account,
          subject_kind: 'value_entry',
          subject_id: value,
          subject_title: 'Saved hours',
          decision,
          source: 'direct',
          decided_at: '2026-04-05Z',
        }),
      );
    await expectMoved(decide('approved'), [['value_entries', value]]);
    await expectMoved(decide('step_approved'), [], [['value_entries', value]]);
  });
});

const addMetric = (): Promise<bigint> =>
  insert(owner, 'ledger.metrics', {
    account_id: home.account,
    metric_key: 'invoice.minutes',
    name: 'Minutes',
  });

const addReading = (metric: bigint, initiative: bigint | null): Promise<bigint> =>
  insert(owner, 'ledger.observations', {
    account_id: home.account,
    metric_id: metric,
    initiative_id: initiative,
    value: 12,
    role: 'reading',
    source_type: 'manual',
  });

const addDecision = (initiative: bigint | null, person: bigint | null = null): Promise<bigint> =>
  insert(owner, 'ledger.portfolio_decisions', {
    account_id: home.account,
    initiative_id: initiative,
    subject_title: 'Invoices',
    outcome: 'continue',
    stage_before: 'live',
    stage_after: 'live',
    rationale: 'It pays.',
    cash_value_cents: 1,
    freed_capacity_cents: 0,
    cost_to_date_cents: 1,
    currency: 'USD',
    decided_by_id: person,
    decided_at: '2026-04-05Z',
  });

async function addConnection(row: Readonly<Record<string, unknown>> = {}): Promise<bigint> {
  await owner.query(
    `insert into ledger.platforms (key, name, category) values ('books', 'Books', 'finance'), ('cards', 'Cards', 'finance')
     on conflict do nothing`,
  );
  return insert(owner, 'ledger.connections', {
    account_id: home.account,
    platform_key: 'books',
    status: 'active',
    ...row,
  });
}
