import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from 'pg';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { changeableColumns } from '../support/guarded-columns.ts';
import {
  type Founded,
  type Row,
  addCost,
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
const change = (table: string, id: bigint, assignments: string): Promise<unknown> =>
  write(() => writer.query(`update ledger.${table} set ${assignments} where id = $1`, [id]));
const remove = (table: string, id: bigint): Promise<unknown> =>
  write(() => writer.query(`delete from ledger.${table} where id = $1`, [id]));

const LOCKED_OR_KEY = /^month 2026-03 is locked|is never changed once written$/;

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
    const free = await changeableColumns(writer, write, {
      table: 'ledger.cost_entries',
      id,
      own: ['updated_at', 'usd_amount_cents', 'ai_usd_amount_cents'], // the ledger keeps these by itself
      refusal: LOCKED_OR_KEY,
      other: {
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
      },
    });
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
