/** Which closed months an account wants kept, and whether it wants any. */
import { type InferResult, sql } from 'kysely';
import type { ClientBase } from 'pg';
import { countRows, db, readRows } from '../../database/query.ts';

const CLOSED = db
  .selectFrom('reporting.accounting_months as m')
  .innerJoin('ledger.accounts as a', 'a.id', 'm.account_id')
  .select((eb) => [
    sql<string>`to_char(${eb.ref('m.month')}, 'YYYY-MM')`.as('month'),
    eb.ref('m.locked_at').$notNull().as('locked_at'),
  ])
  .where('m.locked', '=', true)
  .whereRef('m.locked_at', '>=', 'a.close_pins_since')
  .orderBy('m.month');

/** A month as `YYYY-MM`, and since when it is locked. */
type ClosedMonth = InferResult<typeof CLOSED>[number];

/**
 * The months that are locked and were so no earlier than the account asked for its closes to be kept, oldest first;
 * none when it did not. Asked at a build's moment, it says what that snapshot says of its months.
 */
export async function readClosedMonths(
  client: ClientBase,
  account_id: bigint,
): Promise<readonly ClosedMonth[]> {
  return await readRows(client, CLOSED.where('m.account_id', '=', account_id));
}

/** Keeps the closes of the account from now on, or since when it did already; or no more. Asked as the owner. */
export async function switchClosePins(owner: ClientBase, account_id: bigint, on: boolean): Promise<void> {
  const now = sql<bigint>`clock_timestamp()`;
  const switched = db
    .updateTable('ledger.accounts')
    .set((eb) => ({ close_pins_since: on ? eb.fn.coalesce('close_pins_since', now) : null }))
    .where('id', '=', account_id);
  await countRows(owner, switched);
}
