import type { Pool } from 'pg';

/**
 * Forgets which transactions changed an account once no kept figure can depend on it: figures are kept for the day they
 * were worked out on, and no writer's transaction stays open for two more.
 */
export async function tidyAccountChanges(service: Pool): Promise<void> {
  await service.query(FORGET);
}

// Rows that another worker is removing are its business.
const FORGET = `
  delete from ops.account_changes
  where (account_id, xid) in (
    select account_id, xid from ops.account_changes where at < clock_timestamp() - interval '3 days'
    for update skip locked)`;
