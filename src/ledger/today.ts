import { sql } from 'kysely';
import type { ClientBase } from 'pg';
import { db, readOne } from '../database/query.ts';
import type { Day } from '../figures/calendar.ts';

/** The UTC day by the database's clock. Read it once per request, so that a response describes one day. */
export async function readToday(client: ClientBase): Promise<Day> {
  const today = sql<Day>`(statement_timestamp() at time zone 'UTC')::date`;
  return (await readOne(client, db.selectNoFrom(today.as('today')))).today;
}
