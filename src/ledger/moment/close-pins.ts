/**
 * Close pins: if an account switches them on, the first snapshot after a month was locked is pinned for that month. This
 * file reads the locked months and sets the switch.
 */
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

/** A month as `YYYY-MM`, and when it was locked. */
type ClosedMonth = InferResult<typeof CLOSED>[number];

/**
 * The months locked since the account switched close pins on, oldest first; none if they are off. If it is called in the
 * transaction of a build, it gives the months that are locked in that snapshot.
 */
export async function readClosedMonths(
  client: ClientBase,
  account_id: bigint,
): Promise<readonly ClosedMonth[]> {
  return await readRows(client, CLOSED.where('m.account_id', '=', account_id));
}

/** Switches the close pins of an account on or off. If they are on already, the earlier time stays. Call it as the owner. */
export async function switchClosePins(owner: ClientBase, account_id: bigint, on: boolean): Promise<void> {
  const now = sql<bigint>`clock_timestamp()`;
  const switched = db
    .updateTable('ledger.accounts')
    .set((eb) => ({ close_pins_since: on ? eb.fn.coalesce('close_pins_since', now) : null }))
    .where('id', '=', account_id);
  await countRows(owner, switched);
}
