/** Whether figures that were worked out at one moment of the ledger still stand. */
import type { ClientBase } from 'pg';

/** PostgreSQL's own name of what the caller's transaction sees. */
export async function readSeen(client: ClientBase): Promise<string> {
  const { rows } = await client.query<{ seen: string }>('select pg_current_snapshot()::text as seen');
  const [row] = rows;
  if (row === undefined) throw new Error('a select without a from clause returned no row');
  return row.seen;
}

/** True when costs, value or initiatives of the account were changed by what `seen` did not see and the caller does. */
export async function changedSince(client: ClientBase, accountId: bigint, seen: string): Promise<boolean> {
  const { rows } = await client.query<{ changed: boolean }>(
    'select service.changed_since($1, $2::pg_snapshot) as changed',
    [accountId, seen],
  );
  return rows[0]?.changed !== false;
}
