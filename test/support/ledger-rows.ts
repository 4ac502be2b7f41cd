/** Rows of the account ledger for tests: what a table demands, and transactions that name their account. */
import type { ClientBase } from 'pg';

export type Row = Readonly<Record<string, unknown>>;

/** Inserts one row and returns its id; every column not given has the table's default. */
export async function insert(db: ClientBase, table: string, row: Row): Promise<bigint> {
  const columns = Object.keys(row);
  const marks = columns.map((_, index) => `$${index + 1}`);
  const { rows } = await db.query<{ id: bigint }>(
    `insert into ${table} (${columns.join(', ')}) values (${marks.join(', ')}) returning id`,
    Object.values(row),
  );
  const [first] = rows;
  if (first === undefined) throw new Error(`${table} returned no row`);
  return first.id;
}

export interface Founded {
  readonly account: bigint;
  /** A person of the account, its owner by role. */
  readonly person: bigint;
  readonly initiative: bigint;
}

/** An account with one person and one initiative, written by the owner of the ledger. */
export async function foundAccount(owner: ClientBase, account: Row = {}): Promise<Founded> {
  const id = await insert(owner, 'ledger.accounts', {
    name: 'Acme',
    plan: 'business',
    plan_includes_api: true,
    app_url: 'https://app.example',
    ...account,
  });
  const person = await insert(owner, 'ledger.users', { name: 'Ada' });
  await insert(owner, 'ledger.memberships', { account_id: id, user_id: person, role: 'owner' });
  return { account: id, person, initiative: await addInitiative(owner, id) };
}

export const addInitiative = (db: ClientBase, account: bigint, row: Row = {}): Promise<bigint> =>
  insert(db, 'ledger.initiatives', { account_id: account, title: 'Invoices', stage: 'live', ...row });

/** A cost of 100.00 dollars in March 2026. */
export const addCost = (db: ClientBase, { account, initiative }: Founded, row: Row = {}): Promise<bigint> =>
  insert(db, 'ledger.cost_entries', {
    account_id: account,
    initiative_id: initiative,
    amount_cents: 10_000,
    currency: 'USD',
    period_start: '2026-03-01',
    period_end: '2026-03-31',
    source_type: 'manual',
    ...row,
  });

/** An approved saving of 500.00 dollars in March 2026. */
export const addValue = (db: ClientBase, { account, initiative }: Founded, row: Row = {}): Promise<bigint> =>
  insert(db, 'ledger.value_entries', {
    account_id: account,
    initiative_id: initiative,
    amount_cents: 50_000,
    currency: 'USD',
    status: 'approved',
    entry_type: 'cost_savings',
    period_start: '2026-03-01',
    period_end: '2026-03-31',
    source_type: 'manual',
    ...row,
  });

/** Locks a month, given by its first day. */
export async function lockMonth(db: ClientBase, account: bigint, month: string): Promise<void> {
  await db.query(
    `insert into ledger.accounting_months (account_id, month, status, locked_at) values ($1, $2, 'locked', now())
     on conflict (account_id, month) do update set status = 'locked', locked_at = now()`,
    [account, month],
  );
}

export async function reopenMonth(db: ClientBase, account: bigint, month: string): Promise<void> {
  await db.query(
    `update ledger.accounting_months set status = 'reopened', reopened_at = now(), reopen_reason = 'a late bill'
     where account_id = $1 and month = $2`,
    [account, month],
  );
}

/** Runs `work` in one transaction that sees one account, and commits it; an error rolls it back. */
export async function inAccount<Result>(
  db: ClientBase,
  account: bigint,
  work: () => Promise<Result>,
  isolation: 'read committed' | 'repeatable read' = 'read committed',
): Promise<Result> {
  await db.query(`begin isolation level ${isolation}; set local app.account_id = '${account}'`);
  try {
    const result = await work();
    await db.query('commit');
    return result;
  } catch (error) {
    await db.query('rollback');
    throw error;
  }
}
