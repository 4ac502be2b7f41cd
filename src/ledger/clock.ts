/** The database's clock, which dates moments, days, row stamps and expiries. */
import { sql } from 'kysely';
import type { ClientBase, Pool } from 'pg';
import { db, readOne } from '../database/query.ts';
import type { Day } from '../figures/calendar.ts';
import type { Instant } from '../instant.ts';

/** Statement timeout: a database that hangs must not block the session and the calling process for ever. */
const ANSWER_LIMIT_MS = 10_000;

/** The time of the database's clock: the present time, not the start of the transaction. */
export async function readClock(client: ClientBase | Pool): Promise<Instant> {
  const question = db.selectNoFrom(sql<bigint>`clock_timestamp()`.as('now'));
  return (await readOne(client, question, ANSWER_LIMIT_MS)).now;
}

/** The UTC day by the database's clock. Read it once per request, so that a response describes one day. */
export async function readToday(client: ClientBase): Promise<Day> {
  const today = sql<Day>`(statement_timestamp() at time zone 'UTC')::date`;
  return (await readOne(client, db.selectNoFrom(today.as('today')))).today;
}
