/** Closes and reopens the accounting months of an account, for the command `month`. Every function needs a session of the owner. */
import { sql } from 'kysely';
import type { ClientBase } from 'pg';
import { readStatement } from '../database/columns.ts';
import { countRows, db, readFirst, readOne } from '../database/query.ts';
import { CrossfootError } from '../errors.ts';
import { shownInstant } from '../format.ts';
import { requireAccount } from './accounts.ts';
import type { Instant } from '../instant.ts';

export interface ChangedMonth {
  readonly account_id: bigint;
  /** `YYYY-MM`. */
  readonly month: string;
  /** The person who closes or reopens it. */
  readonly by: bigint;
}

/** What a closed month leaves as it is until the month is reopened. */
export interface LeftOpen {
  /** Costs and approved values that wait for a rate: they have no dollar figure. */
  readonly without_dollars: bigint;
  /** Costs at a rate that is not the average of their period yet. */
  readonly provisional: bigint;
  /** Values without an approval. */
  readonly unapproved: bigint;
}

/** Closes the month. Throws if it is closed already or has not ended. Call it in a transaction of READ COMMITTED. */
export async function closeMonth(owner: ClientBase, wanted: ChangedMonth): Promise<LeftOpen> {
  const { account_id, month, by } = wanted;
  const known = await holdMonth(owner, wanted);
  if (known?.status === 'locked') throw refused(wanted, `is closed already, ${since(known.locked_at)}`);
  // The hours are those of the clocks farthest ahead of UTC, where a company may close its books.
  const ended = sql<boolean>`clock_timestamp() + interval '14 hours' >= (${firstDay(month)}::date + interval '1 month') at time zone 'UTC'`;
  if (!(await readOne(owner, db.selectNoFrom(ended.as('ended')))).ended)
    throw refused(wanted, 'has not ended', 'Close it when it has ended: its costs still arrive.');
  const locked = {
    status: 'locked' as const,
    locked_at: sql<bigint>`clock_timestamp()`,
    locked_by_id: by,
  };
  await countRows(
    owner,
    db
      .insertInto('ledger.accounting_months')
      .values({ account_id, month: firstDay(month), ...locked })
      .onConflict((same) => same.columns(['account_id', 'month']).doUpdateSet(locked)),
  );
  return await readLeftOpen(owner, wanted);
}

async function readLeftOpen(
  owner: ClientBase,
  { account_id, month }: Pick<ChangedMonth, 'account_id' | 'month'>,
): Promise<LeftOpen> {
  const [left] = await readStatement(owner, {
    name: 'what a closed month leaves open',
    text: `
      select
        (select count(*) from ledger.cost_entries
          where account_id = $1 and booked_month = $2::date and usd_amount_cents is null)
        + (select count(*) from ledger.value_entries
          where account_id = $1 and period_month = $2::date and status = 'approved' and usd_amount_cents is null)
        as without_dollars,
        (select count(*) from ledger.cost_entries
          where account_id = $1 and booked_month = $2::date and usd_rate_provisional) as provisional,
        (select count(*) from ledger.value_entries
          where account_id = $1 and period_month = $2::date and status in ('calculated', 'reviewed')) as unapproved`,
    values: [account_id, firstDay(month)],
    columns: { without_dollars: 'int8', provisional: 'int8', unapproved: 'int8' },
  });
  return left ?? { without_dollars: 0n, provisional: 0n, unapproved: 0n };
}

/** Reopens the month. Throws unless it is closed. Call it in a transaction of READ COMMITTED. */
export async function reopenMonth(
  owner: ClientBase,
  { reason, ...wanted }: ChangedMonth & { readonly reason: string },
): Promise<void> {
  const { account_id, month, by } = wanted;
  const known = await holdMonth(owner, wanted);
  if (known?.status !== 'locked') {
    const reopened =
      known?.status === 'reopened' ? `was reopened already, ${since(known.reopened_at)}` : 'is not closed';
    throw refused(wanted, reopened);
  }
  await countRows(
    owner,
    db
      .updateTable('ledger.accounting_months')
      .set({
        status: 'reopened',
        reopened_at: sql<bigint>`clock_timestamp()`,
        reopened_by_id: by,
        reopen_reason: reason,
      })
      .where('account_id', '=', account_id)
      .where('month', '=', firstDay(month)),
  );
}

/**
 * The month as it is; null if the ledger has no row for it. Holds the gate of the account: a close or a reopening of another
 * session waits. Throws if there is no such account, or if the person may not change its months.
 */
async function holdMonth(owner: ClientBase, { account_id, month, by }: ChangedMonth) {
  await requireAccount(owner, account_id);
  await requireWriter(owner, account_id, by);
  // The triggers of entries enter the gate of this account.
  await owner.query("select set_config('app.account_id', $1, true)", [account_id]);
  const gate = db.selectFrom('ledger.account_gates').select('closes').where('account_id', '=', account_id);
  await readFirst(owner, gate.forUpdate());
  const known = db
    .selectFrom('ledger.accounting_months')
    .select(['status', 'locked_at', 'reopened_at'])
    .where('account_id', '=', account_id)
    .where('month', '=', firstDay(month));
  return await readFirst(owner, known);
}

/** Throws unless the person is in the account now, as more than a viewer. */
async function requireWriter(owner: ClientBase, account_id: bigint, user_id: bigint): Promise<void> {
  const member = db
    .selectFrom('ledger.memberships')
    .select('role')
    .where('account_id', '=', account_id)
    .where('user_id', '=', user_id)
    .where('removed_at', 'is', null);
  const role = (await readFirst(owner, member))?.role;
  if (role !== undefined && role !== 'viewer') return;
  throw new CrossfootError(
    'member_refused',
    role === 'viewer'
      ? `Person ${user_id} is a viewer of account ${account_id}, who closes and reopens no month.`
      : `Account ${account_id} has no person ${user_id}, or the person has left it.`,
    { hint: `npx --no crossfoot people list --account ${account_id} shows who may: all but viewers.` },
  );
}

function firstDay(month: string): string {
  return `${month}-01`;
}

function since(instant: Instant | null): string {
  return instant === null ? 'at an unknown time' : `since ${shownInstant(instant)}`;
}

function refused({ account_id, month }: ChangedMonth, why: string, hint?: string): CrossfootError {
  return new CrossfootError(
    'month_refused',
    `Month ${month} of account ${account_id} ${why}. Nothing was changed.`,
    {
      hint: hint ?? `npx --no crossfoot account show ${account_id} shows the months that are closed.`,
    },
  );
}
