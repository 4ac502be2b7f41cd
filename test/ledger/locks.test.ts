import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from 'pg';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import {
  type Founded,
  type Row,
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
const APRIL = { period_start: '2026-04-01', period_end: '2026-04-30' };
const REFUSED = { code: '23001', message: expect.stringContaining('month 2026-03 is locked') };

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
const lockMarch = (): Promise<void> => write(() => lockMonth(writer, home.account, MARCH));
const cost = (row: Row = {}): Promise<bigint> => write(() => addCost(writer, home, row));
const value = (row: Row = {}): Promise<bigint> => write(() => addValue(writer, home, row));
const change = (table: string, id: bigint, assignments: string): Promise<unknown> =>
  write(() => writer.query(`update ledger.${table} set ${assignments} where id = $1`, [id]));
const remove = (table: string, id: bigint): Promise<unknown> =>
  write(() => writer.query(`delete from ledger.${table} where id = $1`, [id]));

/** The columns of a table that a writer can set, with an expression that gives each another valid value. */
async function otherValues(table: string, special: Record<string, string>): Promise<[string, string][]> {
  const { rows } = await owner.query<{ name: string; type: string }>(
    `select attname as name, format_type(coalesce(nullif(t.typbasetype, 0), t.oid), null) as type
     from pg_attribute a join pg_type t on t.oid = a.atttypid
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  );
  const byType: Record<string, string> = {
    bigint: 'coalesce(%, 0) + 1',
    text: "coalesce(%, '') || 'x'",
    boolean: 'not %',
    'timestamp with time zone': "% + interval '1 second'",
    'double precision': 'coalesce(%, 1) + 1',
  };
  return rows.map(({ name, type }) => [
    name,
    special[name] ?? (byType[type] ?? 'no rule').replace('%', name),
  ]);
}

/** Those of the columns that can be changed on the row although its month is locked. */
async function changeable(
  table: string,
  id: bigint,
  columns: readonly [string, string][],
): Promise<string[]> {
  const free: string[] = [];
  for (const [column, other] of columns) {
    const refusal = await write(async () => {
      await writer.query('set constraints all deferred');
      await writer.query(`update ledger.${table} set ${column} = ${other} where id = $1`, [id]);
    }).then(
      () => 'none',
      (error: Error) => error.message,
    );
    if (!/^month 2026-03 is locked|is never changed once written$/.test(refusal))
      free.push(`${column}: ${refusal}`);
  }
  return free;
}

describe('a cost in a locked month', () => {
  it('is not inserted, changed or deleted', async () => {
    const id = await cost();
    await lockMarch();
    await expect(cost()).rejects.toMatchObject(REFUSED);
    await expect(change('cost_entries', id, 'amount_cents = 1')).rejects.toMatchObject(REFUSED);
    await expect(remove('cost_entries', id)).rejects.toMatchObject(REFUSED);
  });

  it('is not moved in or out', async () => {
    const [locked, open] = [await cost(), await cost(APRIL)];
    await lockMarch();
    const toApril = "period_start = '2026-04-01', period_end = null";
    await expect(change('cost_entries', locked, toApril)).rejects.toMatchObject(REFUSED);
    await expect(change('cost_entries', open, "period_start = '2026-03-31'")).rejects.toMatchObject(REFUSED);
  });

  it('belongs to the month in which its period begins', async () => {
    const id = await cost({ period_start: '2026-02-28', period_end: '2026-04-30' });
    await lockMarch();
    await expect(change('cost_entries', id, 'amount_cents = 1')).resolves.toMatchObject({ rowCount: 1 });
  });

  it('without a period belongs to its booking day in UTC', async () => {
    const undated = { period_start: null, period_end: null };
    // 23:30 on 31 March in New York is 03:30 on 1 April in UTC.
    const april = await cost({ ...undated, created_at: '2026-03-31 23:30-04' });
    const march = await cost({ ...undated, created_at: '2026-03-31 23:30Z' });
    await lockMarch();
    await expect(change('cost_entries', april, 'amount_cents = 1')).resolves.toMatchObject({ rowCount: 1 });
    await expect(change('cost_entries', march, 'amount_cents = 1')).rejects.toMatchObject(REFUSED);
  });

  it('keeps every one of its columns', async () => {
    const id = await cost({ currency: 'EUR' });
    await lockMarch();
    const columns = await otherValues('ledger.cost_entries', {
      // A deferred key would accept an unknown neighbour until commit; the guard speaks first.
      currency: "'GBP'",
      usd_rate: '1.1, usd_rate_from = period_start, usd_rate_through = period_start',
      usd_rate_from: 'period_start, usd_rate = 1.1, usd_rate_through = period_start',
      usd_rate_through: 'period_start, usd_rate = 1.1, usd_rate_from = period_start',
      usd_rate_provisional:
        'true, usd_rate = 1, usd_rate_from = period_start, usd_rate_through = period_start',
      cost_category: "'capex'",
      period_start: "'2026-03-02'",
      period_end: "'2026-03-30'",
      source_type: "'csv'",
    });
    const own = ['updated_at', 'usd_amount_cents', 'ai_usd_amount_cents']; // the ledger keeps these by itself
    const free = await changeable(
      'cost_entries',
      id,
      columns.filter(([name]) => !own.includes(name)),
    );
    expect(free).toEqual([]);
  });

  it('is touched by an update that changes nothing', async () => {
    const id = await cost();
    await lockMarch();
    await expect(change('cost_entries', id, 'amount_cents = amount_cents')).resolves.toMatchObject({
      rowCount: 1,
    });
  });

  it('is refused among many, in one statement', async () => {
    await cost();
    await cost(APRIL);
    await lockMarch();
    await expect(
      write(() => writer.query('update ledger.cost_entries set amount_cents = 1')),
    ).rejects.toMatchObject(REFUSED);
    await expect(
      write(() =>
        writer.query(
          `insert into ledger.cost_entries (account_id, initiative_id, amount_cents, currency, period_start, source_type)
           select $1, $2, 1, 'USD', day, 'manual' from unnest(array[date '2026-04-01', '2026-03-31']) as day`,
          [home.account, home.initiative],
        ),
      ),
    ).rejects.toMatchObject(REFUSED);
  });

  it('says which row, in data', async () => {
    const id = await cost();
    await lockMarch();
    const refused = await remove('cost_entries', id).catch(
      (error: { detail: string; hint: string }) => error,
    );
    const { detail, hint } = refused as { detail: string; hint: string };
    expect(JSON.parse(detail)).toEqual({ month: MARCH, table: 'cost_entries', id: Number(id) });
    expect(hint).toBe('Reopen the month first.');
  });

  it('is free again once the month is reopened or forgotten', async () => {
    const [first, second] = [await cost(), await cost()];
    await lockMarch();
    await write(() => reopenMonth(writer, home.account, MARCH));
    await expect(change('cost_entries', first, 'amount_cents = 1')).resolves.toMatchObject({ rowCount: 1 });
    await lockMarch();
    await write(() => writer.query('delete from ledger.accounting_months'));
    await expect(remove('cost_entries', second)).resolves.toMatchObject({ rowCount: 1 });
  });

  it.each(['open', 'in_review', 'reopened'])('is free while the month is %s', async (status) => {
    const id = await cost();
    await write(() =>
      insert(writer, 'ledger.accounting_months', {
        account_id: home.account,
        month: MARCH,
        status,
        reopened_at: '2026-04-02Z',
        reopen_reason: 'a late bill',
      }),
    );
    await expect(change('cost_entries', id, 'amount_cents = 1')).resolves.toMatchObject({ rowCount: 1 });
  });

  it('is held in its own account only', async () => {
    const neighbour = await foundAccount(owner);
    await lockMarch();
    await expect(inAccount(writer, neighbour.account, () => addCost(writer, neighbour))).resolves.toBeTypeOf(
      'bigint',
    );
  });

  it('is held against the owner of the ledger too', async () => {
    await lockMarch();
    await expect(addCost(owner, home)).rejects.toMatchObject(REFUSED);
  });
});

describe('a value entry in a locked month', () => {
  it('is not inserted approved, nor approved', async () => {
    const reviewed = await value({ status: 'reviewed' });
    await lockMarch();
    await expect(value()).rejects.toMatchObject(REFUSED);
    await expect(change('value_entries', reviewed, "status = 'approved'")).rejects.toMatchObject(REFUSED);
  });

  it('once approved is not sent back, deleted or moved', async () => {
    const [locked, open] = [await value(), await value(APRIL)];
    await lockMarch();
    await expect(change('value_entries', locked, "status = 'disputed'")).rejects.toMatchObject(REFUSED);
    await expect(remove('value_entries', locked)).rejects.toMatchObject(REFUSED);
    const away = "period_start = '2026-04-01', period_end = null";
    await expect(change('value_entries', locked, away)).rejects.toMatchObject(REFUSED);
    await expect(change('value_entries', locked, 'period_start = null')).rejects.toMatchObject(REFUSED);
    await expect(change('value_entries', open, "period_start = '2026-03-31'")).rejects.toMatchObject(REFUSED);
  });

  it('once approved keeps every one of its columns', async () => {
    const id = await value({ currency: 'EUR' });
    await lockMarch();
    const columns = await otherValues('ledger.value_entries', {
      currency: "'GBP'",
      usd_rate: '1.1, usd_rate_from = period_start, usd_rate_through = period_start',
      usd_rate_from: 'period_start, usd_rate = 1.1, usd_rate_through = period_start',
      usd_rate_through: 'period_start, usd_rate = 1.1, usd_rate_from = period_start',
      status: "'reviewed'",
      entry_type: "'capacity'",
      period_start: "'2026-03-02'",
      period_end: "'2026-03-30'",
      source_type: "'csv'",
      vendor_price_effect_cents: '1, own_changes_effect_cents = amount_cents - 1',
      own_changes_effect_cents: '1, vendor_price_effect_cents = amount_cents - 1',
      input_snapshot: `'{"inputs":{}}', formula_version_id = 1`,
    });
    const own = ['updated_at', 'usd_amount_cents', 'approval_decision_id']; // the ledger keeps these by itself
    const free = await changeable(
      'value_entries',
      id,
      columns.filter(([name]) => !own.includes(name)),
    );
    expect(free).toEqual([]);
  });

  it('gets no later approval', async () => {
    const id = await value();
    await lockMarch();
    await expect(
      write(() =>
        insert(writer, 'ledger.approval_decisions', {
          account_id: home.account,
          subject_kind: 'value_entry',
          subject_id: id,
          subject_title: 'Saved hours',
          decision: 'approved',
          source: 'direct',
          decided_at: '2026-04-05Z',
        }),
      ),
    ).rejects.toMatchObject(REFUSED);
  });

  it('while unapproved may come, change, convert, move and go', async () => {
    const first = await value({ status: 'calculated', currency: 'EUR' });
    await lockMarch();
    const second = await value({ status: 'draft' });
    await change('value_entries', first, 'amount_cents = 1000');
    await change(
      'value_entries',
      first,
      "usd_rate = 1.1, usd_rate_from = '2026-03-02', usd_rate_through = '2026-03-31'",
    );
    await change(
      'value_entries',
      first,
      "period_start = '2026-04-01', period_end = null, status = 'approved'",
    );
    await expect(remove('value_entries', second)).resolves.toMatchObject({ rowCount: 1 });
  });

  it('is touched by an update that changes nothing', async () => {
    const id = await value();
    await lockMarch();
    await expect(change('value_entries', id, 'notes = notes')).resolves.toMatchObject({ rowCount: 1 });
  });

  it('without a period is never locked, whatever its booking day', async () => {
    const id = await value({ period_start: null, period_end: null, created_at: '2026-03-10Z' });
    await lockMarch();
    await expect(change('value_entries', id, 'amount_cents = 1')).resolves.toMatchObject({ rowCount: 1 });
    await expect(remove('value_entries', id)).resolves.toMatchObject({ rowCount: 1 });
  });

  it('is free again once the month is reopened', async () => {
    const id = await value();
    await lockMarch();
    await write(() => reopenMonth(writer, home.account, MARCH));
    await expect(change('value_entries', id, "status = 'disputed'")).resolves.toMatchObject({ rowCount: 1 });
  });
});

describe('an initiative', () => {
  const entries: [string, () => Promise<bigint>][] = [
    ['cost', () => cost()],
    ['approved value', () => value()],
  ];

  it.each(entries)('with a locked %s is not deleted, and keeps its sample mark', async (_kind, add) => {
    await add();
    await lockMarch();
    await expect(remove('initiatives', home.initiative)).rejects.toMatchObject(REFUSED);
    await expect(change('initiatives', home.initiative, 'is_sample = true')).rejects.toMatchObject(REFUSED);
    await expect(change('initiatives', home.initiative, "title = 'Renamed'")).resolves.toMatchObject({
      rowCount: 1,
    });
  });

  it('with only unapproved value in a locked month may go or change sides', async () => {
    await value({ status: 'draft' });
    await lockMarch();
    await change('initiatives', home.initiative, 'is_sample = true');
    await expect(remove('initiatives', home.initiative)).resolves.toMatchObject({ rowCount: 1 });
  });

  it('is not held by the locked entries of another', async () => {
    const other = await write(() => addInitiative(writer, home.account));
    await cost();
    await lockMarch();
    await expect(remove('initiatives', other)).resolves.toMatchObject({ rowCount: 1 });
  });
});
