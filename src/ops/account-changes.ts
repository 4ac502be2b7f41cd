import { sql } from 'kysely';
import type { Pool } from 'pg';
import { countRows, db } from '../database/query.ts';

/**
 * Forgets which transactions changed an account once no kept figure can depend on it: figures are kept for the day they
 * were worked out on, and no writer's transaction stays open for two more.
 */
export async function tidyAccountChanges(service: Pool): Promise<void> {
  await countRows(service, FORGET);
}

// Rows that another worker is removing are its business.
const FORGET = db.deleteFrom('ops.account_changes').where((eb) =>
  eb(
    eb.refTuple('account_id', 'xid'),
    'in',
    eb
      .selectFrom('ops.account_changes')
      .select(['account_id', 'xid'])
      .where('at', '<', sql<bigint>`clock_timestamp() - interval '3 days'`)
      .forUpdate()
      .skipLocked()
      .$asTuple('account_id', 'xid'),
  ),
);
