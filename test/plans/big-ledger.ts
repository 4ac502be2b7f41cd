/**
 * A ledger whose large lists hold a million rows each, for looking at plans. Only the shape counts: rows are written by
 * the administrator without triggers, checks and indexes, which come back before anything is asked.
 */
import type { Client } from 'pg';

export const ACCOUNT = 1n;
/** Beside it another account, a tenth of its size, so that naming the account narrows something. */
const NEIGHBOUR = 2n;
const ROWS = 1_000_000;
const BILLS = 20_000;

interface Filling {
  readonly table: string;
  readonly rows: number;
  /** The columns and their values by `n`, the row's number, and `initiative`, one of a thousand by it. */
  readonly columns: Readonly<Record<string, string>>;
}

// A change every half minute, one in ten out of its turn: lists are ordered by it, not by id.
const CHANGED = `timestamptz '2024-01-01Z' + make_interval(secs => case n % 10 when 0 then (n * 7919::bigint) % 1000000 else n end * 30)`;
const ENTRY = {
  initiative_id: 'initiative',
  amount_cents: 'n % 100000',
  currency: `'USD'`,
  usd_amount_cents: 'n % 100000',
  // Entries of thirty-six months, one in fifty without a period.
  period_start: `case when n % 50 > 0 then date '2023-01-01' + (n * 31 % 1095)::integer end`,
  period_end: `case when n % 50 > 0 then date '2023-01-01' + (n * 31 % 1095)::integer + 27 end`,
  source_type: `'manual'`,
  updated_at: CHANGED,
};

const FILLINGS: readonly Filling[] = [
  {
    table: 'initiatives',
    rows: 5_000,
    // One in fifty is a sample.
    columns: {
      title: `'Initiative ' || n`,
      stage: `'live'`,
      is_sample: 'n % 50 = 0',
      owner_id: 'n % 20 + 1',
      updated_at: CHANGED,
    },
  },
  {
    table: 'connections',
    rows: 20_000,
    columns: {
      platform_key: `'platform_' || n % 50`,
      status: `(array['active', 'paused', 'error', 'disconnected'])[n % 4 + 1]`,
      connected_by_id: 'n % 20 + 1',
      updated_at: CHANGED,
    },
  },
  {
    table: 'metrics',
    rows: 5_000,
    columns: { metric_key: `'metric.' || n`, name: `'Metric ' || n`, updated_at: CHANGED },
  },
  {
    table: 'cost_entries',
    rows: ROWS,
    columns: {
      ...ENTRY,
      cost_category: `'opex'`,
      booked_month: `date_trunc('month', date '2023-01-01' + (n * 31 % 1095)::integer)::date`,
    },
  },
  {
    table: 'value_entries',
    rows: ROWS,
    columns: {
      ...ENTRY,
      status: `(array['approved', 'approved', 'approved', 'draft', 'calculated', 'reviewed', 'disputed', 'archived'])[n % 8 + 1]`,
      entry_type: `'cost_savings'`,
      input_snapshot: `'{}'`,
      input_snapshot_sha256: `''`,
      input_observation_ids: `'{}'`,
      baseline_methods: `'{}'`,
      period_month: `case when n % 50 > 0 then date_trunc('month', date '2023-01-01' + (n * 31 % 1095)::integer)::date end`,
    },
  },
  {
    table: 'observations',
    rows: ROWS,
    columns: {
      metric_id: 'n % 997 + 1',
      initiative_id: 'case when n % 20 > 0 then initiative end',
      value: 'n',
      role: `'reading'`,
      source_type: `'manual'`,
      deleted_at: `case when n % 100 = 0 then now() end`,
      updated_at: CHANGED,
    },
  },
  {
    table: 'portfolio_decisions',
    rows: 100_000,
    columns: {
      initiative_id: 'initiative',
      subject_title: `'Initiative'`,
      outcome: `(array['continue', 'scale', 'fix', 'pause', 'retire'])[n % 5 + 1]`,
      stage_before: `'live'`,
      stage_after: `'live'`,
      rationale: `'It pays.'`,
      cash_value_cents: '1',
      freed_capacity_cents: '0',
      cost_to_date_cents: '1',
      currency: `'USD'`,
      decided_by_id: 'n % 20 + 1',
      decided_at: CHANGED,
      updated_at: CHANGED,
    },
  },
  {
    table: 'provider_bills',
    rows: BILLS,
    columns: {
      connection_id: 'n',
      month: `date '2024-01-01'`,
      amount_cents: '1',
      currency: `'USD'`,
      ai_amount_cents: '1',
    },
  },
  {
    table: 'usage',
    rows: ROWS,
    // A bill counts a third of them itself.
    columns: {
      bill_id: `n % ${BILLS / 10} + 1`,
      used_on: `date '2024-01-01'`,
      initiative_id: 'case when n % 20 > 0 then initiative end',
      unit: `'input_tokens'`,
      quantity: 'n',
      superseded: 'n % 3 = 0',
      updated_at: CHANGED,
    },
  },
  {
    table: 'usage_rests',
    rows: BILLS,
    columns: {
      id: '-2 * n',
      bill_id: 'n',
      is_ai: 'true',
      cost_cents: '1',
      // Among the changes of usage.
      updated_at: CHANGED.replaceAll('n end', `n * ${ROWS / BILLS} end`),
    },
  },
];

/** Fills a migrated database and leaves it analysed. */
export async function fillBigLedger(admin: Client): Promise<void> {
  // No trigger fires in this session: not ours, and not those of foreign keys.
  await admin.query(`set session_replication_role = replica; set maintenance_work_mem = '256MB'`);
  await admin.query(`
    insert into ledger.users (id, name) overriding system value select n, 'Person ' || n from generate_series(1, 20) n;
    insert into ledger.platforms (key, name, category)
      select 'platform_' || n, 'Platform ' || n, 'finance' from generate_series(0, 49) n`);
  for (const account of [ACCOUNT, NEIGHBOUR]) {
    await admin.query(`
      insert into ledger.accounts (id, name, plan, plan_includes_api) values (${account}, 'Acme', 'business', true);
      insert into ledger.memberships (account_id, user_id, role) select ${account}, n, 'member' from generate_series(1, 20) n;
      insert into ledger.accounting_months (account_id, month, status, locked_at)
        select ${account}, month, 'locked', month from generate_series(timestamptz '2023-01-01Z', '2024-06-01Z', '1 month') month`);
  }
  for (const filling of FILLINGS) await fill(admin, filling);
  await admin.query('analyze');
}

async function fill(admin: Client, { table, rows, columns }: Filling): Promise<void> {
  const { rows: indexes } = await admin.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where schemaname = 'ledger' and tablename = $1
       and indexname not in (select conname from pg_constraint where conrelid = ('ledger.' || $1)::regclass)`,
    [table],
  );
  for (const { name } of indexes) await admin.query(`drop index ledger.${name}`);
  await dropComputing(admin, table);
  const cells = { id: 'n', ...columns };
  for (const [account, count] of [
    [ACCOUNT, rows],
    [NEIGHBOUR, rows / 10],
  ]) {
    await admin.query(
      `insert into ledger.${table} (account_id, ${Object.keys(cells).join(', ')}) overriding system value
       select ${account}, ${Object.values(cells).join(', ')}
       from (select n, n % 1000 + 1 as initiative from generate_series(1, ${count}) n) as numbered`,
    );
  }
  for (const { definition } of indexes) await admin.query(definition);
}

/** Generated columns become plain ones and checks go: a million calls of their functions would take minutes. */
async function dropComputing(admin: Client, table: string): Promise<void> {
  const { rows } = await admin.query<{ statement: string }>(
    `select format('alter table ledger.%I alter column %I drop expression', $1::text, attname) as statement
     from pg_attribute where attrelid = ('ledger.' || $1)::regclass and attgenerated <> ''
     union all
     select format('alter table ledger.%I drop constraint %I', $1::text, conname)
     from pg_constraint where conrelid = ('ledger.' || $1)::regclass and contype = 'c'`,
    [table],
  );
  for (const { statement } of rows) await admin.query(statement);
}
