/** Which closed months an account wants kept, and whether it wants any. */
import type { ClientBase } from 'pg';

interface ClosedMonth {
  /** `YYYY-MM`. */
  readonly month: string;
  readonly locked_at: bigint;
}

/**
 * The months that are locked and were so no earlier than the account asked for its closes to be kept, oldest first;
 * none when it did not. Asked at a build's moment, it says what that snapshot says of its months.
 */
export async function readClosedMonths(
  client: ClientBase,
  account_id: bigint,
): Promise<readonly ClosedMonth[]> {
  const { rows } = await client.query<ClosedMonth>(
    `select to_char(m.month, 'YYYY-MM') as month, m.locked_at
     from reporting.accounting_months m
     join ledger.accounts a on a.id = m.account_id
     where m.account_id = $1 and m.locked and m.locked_at >= a.close_pins_since
     order by m.month`,
    [account_id],
  );
  return rows;
}

/** Keeps the closes of the account from now on, or since when it did already; or no more. Asked as the owner. */
export async function switchClosePins(owner: ClientBase, account_id: bigint, on: boolean): Promise<void> {
  await owner.query(
    `update ledger.accounts
     set close_pins_since = case when $2::boolean then coalesce(close_pins_since, clock_timestamp()) end
     where id = $1`,
    [account_id, on],
  );
}
