import type { Pool } from 'pg';

/** Ends well when the database answers the role that serves. */
export async function askDatabase(reader: Pool): Promise<void> {
  await reader.query('select');
}
