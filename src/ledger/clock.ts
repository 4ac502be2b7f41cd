/** What time it is for the ledger: the clock that moments, stamps and promises are dated by. */
import { sql } from 'kysely';
import type { ClientBase, Pool } from 'pg';
import { db, readOne } from '../database/query.ts';

/** A database that hangs must not hold a session, nor the process that asks, for ever. */
const ANSWER_LIMIT_MS = 10_000;

/** Microseconds since 1970 by the database's clock, now and not at the start of a transaction. */
export async function readClock(client: ClientBase | Pool): Promise<bigint> {
  const question = db.selectNoFrom(sql<bigint>`clock_timestamp()`.as('now'));
  return (await readOne(client, question, ANSWER_LIMIT_MS)).now;
}
