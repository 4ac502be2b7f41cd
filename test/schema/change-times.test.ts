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

async function stampOf(table: string, id: bigint): Promise<bigint> {
  const { rows } = await owner.query<{ updated_at: bigint }>(
    `select updated_at from ledger.${table} where id = $1`,
    [id],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`${table} ${id} is not there`);
  return row.updated_at;
}

type Named = readonly [table: string, id: bigint];

/** The names of those rows whose stamp `change` moved by the time it was committed. */
async function movedBy(
  change: () => Promise<unknown>,
  rows: Readonly<Record<string, Named>>,
): Promise<string[]> {
  const before = new Map<string, bigint>();
  for (const [name, row] of Object.entries(rows)) before.set(name, await stampOf(...row));
  await change();
  const moved: string[] = [];
  for (const [name, row] of Object.entries(rows)) {
    if ((await stampOf(...row)) > (before.get(name) ?? 0n)) moved.push(name);
  }
  return moved;
}

const byOwner = (text: string, values: readonly unknown[]) => (): Promise<unknown> =>
  owner.query(text, [...values]);
const byWriter = (text: string, values: readonly unknown[]) => (): Promise<unknown> =>
  write(() => writer.query(text, [...values]));

describe('updated_at moves with what is served from elsewhere:', () => {
  it('a month locked, reopened, moved or forgotten', async () => {
    const undated = { period_start: null, period_end: null };
    const april = await addCost(owner, home, { period_start: '2026-04-01', period_end: null });
    const rows: Record<string, Named> = {
      cost: ['cost_entries', await addCost(owner, home)],
      booked: ['cost_entries', await addCost(owner, home, { ...undated, created_at: '2026-03-31 23:59Z' })],
      value: ['value_entries', await addValue(owner, home)],
      // Neither is ever locked.
      draft: ['value_entries', await addValue(owner, home, { status: 'draft' })],
      undated: ['value_entries', await addValue(owner, home, undated)],
      april: ['cost_entries', april],
    };
    const march = ['cost', 'booked', 'value'];
    const lock = (): Promise<void> => write(() => lockMonth(writer, home.account, MARCH));
    expect(await movedBy(lock, rows)).toEqual(march);
    expect(await movedBy(() => write(() => reopenMonth(writer, home.account, MARCH)), rows)).toEqual(march);
    expect(await movedBy(lock, rows)).toEqual(march);
    const move = byWriter("update ledger.accounting_months set month = '2026-04-01' where account_id = $1", [
      home.account,
    ]);
    expect(await movedBy(move, rows)).toEqual([...march, 'april']);
    const forget = byWriter('delete from ledger.accounting_months where account_id = $1', [home.account]);
    expect(await movedBy(forget, rows)).toEqual(['april']);
  });

  it('but not a month that changes state without locking', async () => {
    const month = { account_id: home.account, month: MARCH, status: 'in_review' };
    const review = (): Promise<unknown> => write(() => insert(writer, 'ledger.accounting_months', month));
    expect(await movedBy(review, { cost: ['cost_entries', await addCost(owner, home)] })).toEqual([]);
  });

  it('a vendor merged into another', async () => {
    const rows: Record<string, Named> = {
      merged: ['cost_entries', await addCost(owner, home, { vendor_name: 'Acme Inc' })],
      survivor: ['cost_entries', await addCost(owner, home, { vendor_name: 'Acme' })],
    };
    const merge = byWriter(
      `update ledger.vendors set merged_into_id = (select id from ledger.vendors where account_id = $1 and name = 'Acme')
       where account_id = $1 and name = 'Acme Inc'`,
      [home.account],
    );
    expect(await movedBy(merge, rows)).toEqual(['merged']);
  });

  it.each(['cost_entries', 'value_entries'])('a conversion of %s', async (table) => {
    const id = await (table === 'cost_entries' ? addCost : addValue)(owner, home, { currency: 'EUR' });
    const convert = byOwner(
      `update ledger.${table}
       set usd_rate = 1.1, usd_rate_from = '2026-03-02', usd_rate_through = '2026-03-31' where id = $1`,
      [id],
    );
    expect(await movedBy(convert, { entry: [table, id] })).toEqual(['entry']);
  });

  it('a decision’s initiative deleted', async () => {
    const decision = await addDecision(home.initiative);
    const remove = byWriter('delete from ledger.initiatives where id = $1', [home.initiative]);
    expect(await movedBy(remove, { decision: ['portfolio_decisions', decision] })).toEqual(['decision']);
  });

  it('going live, for the basis of value', async () => {
    const rows: Record<string, Named> = {
      value: ['value_entries', await addValue(owner, home)],
      cost: ['cost_entries', await addCost(owner, home)],
    };
    const goLive = byWriter("update ledger.initiatives set went_live_at = '2026-02-01Z' where id = $1", [
      home.initiative,
    ]);
    expect(await movedBy(goLive, rows)).toEqual(['value']);
    expect(await movedBy(goLive, rows)).toEqual([]); // the same day again
  });

  it('a sample mark', async () => {
    const metric = await addMetric();
    const rows: Record<string, Named> = {
      cost: ['cost_entries', await addCost(owner, home)],
      value: ['value_entries', await addValue(owner, home)],
      reading: ['observations', await addReading(metric, home.initiative)],
      decision: ['portfolio_decisions', await addDecision(home.initiative)],
      apart: ['observations', await addReading(metric, null)],
    };
    const mark = byWriter('update ledger.initiatives set is_sample = true where id = $1', [home.initiative]);
    expect(await movedBy(mark, rows)).toEqual(['cost', 'value', 'reading', 'decision']);
  });

  it('a person renamed', async () => {
    const other = await foundAccount(owner);
    const rows: Record<string, Named> = {
      owned: ['initiatives', await addInitiative(owner, home.account, { owner_id: home.person })],
      decided: ['portfolio_decisions', await addDecision(null, home.person)],
      connected: ['connections', await addConnection({ connected_by_id: home.person })],
      ownerless: ['initiatives', home.initiative],
      elsewhere: ['initiatives', other.initiative],
    };
    const rename = byWriter("update ledger.users set name = 'Grace' where id = $1", [home.person]);
    expect(await movedBy(rename, rows)).toEqual(['owned', 'decided', 'connected']);
  });

  it('a platform renamed, or a connection pointed at another, for the provenance of value', async () => {
    const connection = await addConnection();
    const synced = await addValue(owner, home, { source_type: 'integration', connection_id: connection });
    const rows: Record<string, Named> = {
      synced: ['value_entries', synced],
      typed: ['value_entries', await addValue(owner, home)],
    };
    const rename = byOwner("update ledger.platforms set name = name || '!' where key = 'books'", []);
    expect(await movedBy(rename, rows)).toEqual(['synced']);
    const point = byWriter("update ledger.connections set platform_key = 'cards' where id = $1", [
      connection,
    ]);
    expect(await movedBy(point, rows)).toEqual(['synced']);
  });

  it('a metric’s key', async () => {
    const metric = await addMetric();
    const reading = await addReading(metric, null);
    const rename = byWriter("update ledger.metrics set metric_key = 'other.key' where id = $1", [metric]);
    expect(await movedBy(rename, { reading: ['observations', reading] })).toEqual(['reading']);
  });

  it('the categories that a connection is primary for', async () => {
    const [books, cards] = [await addConnection(), await addConnection({ platform_key: 'cards' })];
    const rows: Record<string, Named> = { books: ['connections', books], cards: ['connections', cards] };
    const add = byWriter(
      "insert into ledger.connection_primary_categories (account_id, connection_id, category) values ($1, $2, 'finance')",
      [home.account, cards],
    );
    expect(await movedBy(add, rows)).toEqual(['cards']);
    const move = byWriter('update ledger.connection_primary_categories set connection_id = $1', [books]);
    expect(await movedBy(move, rows)).toEqual(['books', 'cards']);
    const rename = byWriter("update ledger.connection_primary_categories set category = 'sales'", []);
    expect(await movedBy(rename, rows)).toEqual(['books']);
    expect(await movedBy(byWriter('delete from ledger.connection_primary_categories', []), rows)).toEqual([
      'books',
    ]);
  });

  it('the categories that its platform can serve', async () => {
    const [books, cards] = [await addConnection(), await addConnection({ platform_key: 'cards' })];
    const rows: Record<string, Named> = { books: ['connections', books], cards: ['connections', cards] };
    const steps = [
      "insert into ledger.platform_metric_categories values ('books', 'finance')",
      "update ledger.platform_metric_categories set category = 'sales' where platform_key = 'books'",
      "delete from ledger.platform_metric_categories where platform_key = 'books'",
    ];
    for (const step of steps) expect(await movedBy(byOwner(step, []), rows)).toEqual(['books']);
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
    const rows: Record<string, Named> = { value: ['value_entries', value] };
    expect(await movedBy(decide('approved'), rows)).toEqual(['value']);
    expect(await movedBy(decide('step_approved'), rows)).toEqual([]);
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
