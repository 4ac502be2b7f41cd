/** What time it is for the ledger: the clock that moments, stamps and promises are dated by. */
import type { ClientBase, Pool } from 'pg';

/** Microseconds since 1970 by the database's clock, now and not at the start of a transaction. */
export async function readClock(client: ClientBase | Pool): Promise<bigint> {
  const { rows } = await client.query<{ now: bigint }>('select clock_timestamp() as now');
  const [row] = rows;
  if (row === undefined) throw new Error('a select without a table gave no row');
  return row.now;
}
