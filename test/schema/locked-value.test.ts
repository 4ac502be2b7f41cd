import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from 'pg';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { changeableColumns } from '../support/guarded-columns.ts';
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

const LOCKED_OR_KEY = /^month 2026-03 is locked|is never changed once written$/;

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
    const free = await changeableColumns(writer, write, {
      table: 'ledger.value_entries',
      id,
      own: ['updated_at', 'usd_amount_cents', 'approval_decision_id'], // the ledger keeps these by itself
      refusal: LOCKED_OR_KEY,
      other: {
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
        input_snapshot: `'{"expression":"a","inputs":{}}', formula_version_id = 1`,
        formula_version_id: `1, input_snapshot = '{"expression":"a","inputs":{}}'`,
      },
    });
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

  it('without a period is never locked, on any booking day', async () => {
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
