/** What time it is for the ledger: the clock that moments, stamps and promises are dated by. */
import type { ClientBase, ClientConfig, Pool, QueryConfig } from 'pg';

/** A database that hangs must not hold a session, nor the process that asks, for ever. */
const ANSWER_LIMIT_MS = 10_000;

/** Microseconds since 1970 by the database's clock, now and not at the start of a transaction. */
export async function readClock(client: ClientBase | Pool): Promise<bigint> {
  const question: ClientConfig & QueryConfig = {
    text: 'select clock_timestamp() as now',
    query_timeout: ANSWER_LIMIT_MS,
  };
  const { rows } = await client.query<{ now: bigint }>(question);
  const [row] = rows;
  if (row === undefined) throw new Error('a select without a table gave no row');
  return row.now;
}
