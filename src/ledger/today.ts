import { sql } from 'kysely';
import type { ClientBase } from 'pg';
import { db, readOne } from '../database/query.ts';
import type { Day } from '../figures/calendar.ts';

/** The UTC day it is, by the database's clock; asked once per request, so that an answer describes one day. */
export async function readToday(client: ClientBase): Promise<Day> {
  const today = sql<Day>`(statement_timestamp() at time zone 'UTC')::date`;
  return (await readOne(client, db.selectNoFrom(today.as('today')))).today;
}
