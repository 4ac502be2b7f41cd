import type { Pool } from 'pg';

/**
 * Deletes records of changes once no cached figure can depend on them: figures are cached for the day of their
 * computation, and no write transaction stays open for two more days.
 */
export async function tidyAccountChanges(service: Pool): Promise<void> {
  await service.query(FORGET);
}

// Skips the rows that another worker is removing.
const FORGET = `
  delete from ops.account_changes
  where (account_id, xid) in (
    select account_id, xid from ops.account_changes where at < clock_timestamp() - interval '3 days'
    for update skip locked)`;
