import type { ClientBase } from 'pg';
import type { Day } from '../figures/calendar.ts';

/** The UTC day it is, by the database's clock; asked once per request, so that an answer describes one day. */
export async function readToday(client: ClientBase): Promise<Day> {
  const { rows } = await client.query<{ today: Day }>(
    "select (statement_timestamp() at time zone 'UTC')::date as today",
  );
  const [row] = rows;
  if (row === undefined) throw new Error('a select without a from clause returned no row');
  return row.today;
}
