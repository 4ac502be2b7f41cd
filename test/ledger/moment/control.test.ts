import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ControlRow, readControlTotals } from '../../../src/ledger/moment/control.ts';
import { withMoment } from '../../../src/ledger/moment/moment.ts';
import { sourceTables } from '../../../src/ledger/moment/source-tables.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';

let database: TestDatabase;
let owner: Client;
let reader: Client;

// Account 8 has a row of every kind too: none of them may show in the totals of account 7.
const LEDGER = `
  insert into ledger.accounts (id, name, plan, plan_includes_api, fiscal_year_start_month, contribution_margin, app_url)
    values (7, 'Harbour', 'team', true, 4, 0.5, 'https://app.example.com'),
      (8, 'Other', 'team', true, 1, 1, 'https://other.example.com');
  insert into ledger.users (id, name) values (501, 'Ada'), (502, null), (503, 'Stranger');
  insert into ledger.memberships (account_id, id, user_id, role, removed_at)
    values (7, 1, 501, 'owner', null), (7, 2, 502, 'member', '2025-01-01Z'), (8, 3, 503, 'owner', null);
  insert into ledger.initiatives (account_id, id, title, stage, is_sample, currency, owner_id, planned_capex_cents, planned_cost_savings_cents)
    values (7, 1, 'Mail', 'live', false, 'USD', 501, 999, 10000), (7, 2, 'Calls', 'live', false, 'USD', null, 1, null),
      (7, 3, 'Notes', 'live', false, 'EUR', null, null, null), (7, 4, 'Demo', 'live', true, 'USD', 501, 5000000, null),
      (8, 5, 'Theirs', 'live', false, 'USD', null, 70, null);
  insert into ledger.cost_entries (account_id, id, initiative_id, amount_cents, currency, usd_rate, usd_rate_from, usd_rate_through,
      cost_type, period_start, period_end, vendor_name, source_type, recorded_by_id, notes)
    values
      (7, 21, 1, 50000, 'USD', null, null, null, 'licenses', '2025-05-01', '2025-05-31', 'Acme', 'manual', 501, null),
      (7, 22, 2, -700, 'USD', null, null, null, 'hardware', null, '2025-05-31', 'Acme', 'system', null, 'Credit'),
      (7, 23, 1, 1000, 'EUR', 1.0855, '2025-12-01', '2025-12-31', null, '2025-12-01', null, null, 'csv', null, null),
      (7, 24, 1, 300, 'EUR', null, null, null, null, null, null, null, 'manual', null, null),
      (7, 25, 4, 9000000, 'USD', null, null, null, null, '2025-05-01', null, 'Sample', 'manual', null, null),
      (8, 26, 5, 7, 'USD', null, null, null, null, null, null, null, 'manual', null, null);
  insert into ledger.value_entries (account_id, id, initiative_id, amount_cents, currency, status, entry_type, period_start,
      vendor_price_effect_cents, own_changes_effect_cents, source_type, recorded_by_id)
    values
      (7, 11, 1, 120000, 'USD', 'approved', 'cost_savings', '2025-05-10', 20000, 100000, 'manual', 501),
      (7, 12, 1, 9007199254740991, 'USD', 'approved', 'cost_savings', '2025-05-11', null, null, 'csv', null),
      (7, 13, 1, null, null, 'draft', null, null, null, null, 'manual', null),
      (7, 14, 4, 55, 'USD', 'approved', 'cost_savings', null, null, null, 'manual', null),
      (8, 15, 5, 66, 'USD', 'approved', 'cost_savings', null, null, null, 'manual', null);
  insert into ledger.accounting_months (account_id, id, month, status, locked_at)
    values (7, 1, '2025-05-01', 'locked', '2025-06-09Z'), (7, 2, '2025-06-01', 'open', null),
      (8, 3, '2025-07-01', 'locked', '2025-08-09Z')`;

beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
  reader = await database.client('cf_reader');
  await owner.query(LEDGER);
});
afterAll(() => database.drop());

type Totals = Record<string, ControlRow['figures'][]>;

async function totals(account_id = 7n): Promise<Totals> {
  return await withMoment(
    reader,
    { account_id, tables: await sourceTables(), statementTimeoutMs: 20_000 },
    () => totalsSeenBy(reader, account_id),
  );
}

/** The rows by table, in their order. */
async function totalsSeenBy(client: Client, account_id: bigint): Promise<Totals> {
  const rows = await Array.fromAsync(readControlTotals(client, { account_id }));
  const byTable = Object.groupBy(rows, ({ base_table }) => base_table);
  return Object.fromEntries(
    Object.entries(byTable).map(([table, of = []]) => [table, of.map(({ figures }) => figures)]),
  );
}

describe('readControlTotals', () => {
  it('counts and sums costs by currency, without those of samples and of other accounts', async () => {
    const { cost_entries } = await totals();
    expect(cost_entries).toMatchObject([
      // 1,000 at 1.0855 is 1,085.5, so 1,086; the other waits on a rate.
      {
        currency: 'EUR',
        rows: '2',
        least_id: '23',
        greatest_id: '24',
        amount_cents: '1300',
        usd_amount_cents: '1086',
        empty_dollars: '1',
        with_rate: '1',
        opex_usd_cents: '1086',
        with_vendor: '0',
      },
      // 50,000 − 700; hardware is capex; an end is counted without a start too.
      {
        currency: 'USD',
        rows: '2',
        amount_cents: '49300',
        usd_amount_cents: '49300',
        capex_usd_cents: '-700',
        opex_usd_cents: '50000',
        with_period_start: '1',
        with_period_end: '2',
        with_vendor: '2',
        with_notes: '1',
        with_recorder: '1',
        recorder_ids: '501',
      },
    ]);
  });

  it('counts and sums value by status, currency and type, exactly beyond what JSON numbers hold', async () => {
    const { value_entries } = await totals();
    expect(value_entries).toMatchObject([
      {
        status: 'approved',
        currency: 'USD',
        entry_type: 'cost_savings',
        rows: '2',
        amount_cents: '9007199254860991', // 9,007,199,254,740,991 + 120,000
        vendor_price_effect_cents: '20000',
        own_changes_effect_cents: '100000',
        with_effects: '1',
      },
      { status: 'draft', currency: null, entry_type: null, rows: '1', amount_cents: '0', fingerprint: null },
    ]);
  });

  it('sums plans by currency and keeps samples apart', async () => {
    const { initiatives } = await totals();
    expect(initiatives).toMatchObject([
      { is_sample: 'false', currency: 'EUR', rows: '1', planned_capex_cents: '0' },
      {
        is_sample: 'false',
        currency: 'USD',
        rows: '2',
        planned_capex_cents: '1000',
        planned_cost_savings_cents: '10000',
        with_owner: '1',
      },
      { is_sample: 'true', currency: 'USD', rows: '1', planned_capex_cents: '5000000' },
    ]);
  });

  it('states the account, its months and its people by the digest of their names', async () => {
    const control = await totals();
    expect(control['accounts']).toEqual([
      {
        id: '7',
        name_digest: md5('Harbour'),
        fiscal_year_start_month: '4',
        contribution_margin: '0.5000',
        app_url: 'https://app.example.com',
      },
    ]);
    expect(control['accounting_months']).toMatchObject([
      // 2025-06-09 is 20,248 days after 1970.
      { month: '2025-05-01', status: 'locked', locked_at: '1749427200000000', reopened_at: null },
      { month: '2025-06-01', status: 'open', locked_at: null },
    ]);
    expect(control['users']).toEqual([
      { id: '501', name_digest: md5('Ada') },
      { id: '502', name_digest: null },
    ]);
  });

  it.each([
    ['cost_entries', `update ledger.cost_entries set description = 'Seats' where id = 23`],
    ['cost_entries', `update ledger.cost_entries set initiative_id = 2 where id = 23`],
    ['value_entries', `update ledger.value_entries set amount_cents = amount_cents - 1 where id = 12`],
    ['initiatives', `update ledger.initiatives set title = 'Post' where id = 1`],
  ])('has another fingerprint of %s after: %s', async (table, change) => {
    await owner.query('begin');
    try {
      await owner.query('delete from ledger.accounting_months where account_id = 7');
      const before = await totalsSeenBy(owner, 7n);
      await owner.query(change);
      const after = await totalsSeenBy(owner, 7n);
      expect(fingerprints(after, table)).not.toEqual(fingerprints(before, table));
    } finally {
      await owner.query('rollback');
    }
  });

  it('states an approval about a sample by itself only if its entry is in a table, and the ids of all', async () => {
    await owner.query(`
      begin;
      insert into ledger.initiatives (account_id, id, title, stage, is_sample, currency) values (8, 6, 'Demo', 'live', true, 'USD');
      insert into ledger.value_entries (account_id, id, initiative_id, amount_cents, currency, status, entry_type, source_type)
        values (8, 16, 6, 77, 'USD', 'approved', 'cost_savings', 'manual');
      -- Entry 15 has moved to a real initiative since; entry 16 is a sample's, entry 17 is gone.
      insert into ledger.approval_decisions (account_id, id, subject_kind, subject_id, initiative_id, subject_title, decision, source, decided_at)
        values (8, 91, 'value_entry', 15, 6, 'Demo', 'approved', 'direct', '2025-06-09Z'),
          (8, 92, 'value_entry', 16, 6, 'Demo', 'approved', 'direct', '2025-06-10Z'),
          (8, 93, 'value_entry', 17, 6, 'Demo', 'approved', 'direct', '2025-06-11Z'),
          (8, 100094, 'value_entry', 17, 6, 'Demo', 'approved', 'direct', '2025-06-11Z')`);
    try {
      const { approval_decisions } = await totalsSeenBy(owner, 8n);
      expect(
        approval_decisions?.map(({ is_sample, sample_entry_id, sample_ids }) => [
          is_sample,
          sample_entry_id,
          sample_ids,
        ]),
      ).toEqual([
        ['true', '15', '91'],
        ['true', null, '92 93'],
        ['true', null, '100094'], // a row has the ids of one hundred thousand
      ]);
    } finally {
      await owner.query('rollback');
    }
  });

  it('states equal totals of an equal ledger', async () => {
    expect(await totals()).toEqual(await totals());
  });
});

function fingerprints(control: Totals, table: string): (string | null | undefined)[] | undefined {
  return control[table]?.map((row) => row['fingerprint']);
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
