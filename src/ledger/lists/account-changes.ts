/** Whether figures that were worked out at one moment of the ledger still stand. */
import type { ClientBase } from 'pg';

/** The ledger's own name of what the caller's transaction sees. */
export async function readSeen(client: ClientBase): Promise<string> {
  const { rows } = await client.query<{ seen: string }>('select service.seen() as seen');
  const [row] = rows;
  if (row === undefined) throw new Error('a select without a from clause returned no row');
  return row.seen;
}

/**
 * True when costs, value or initiatives of the account were changed by what `seen` did not see and the caller does, and
 * when the caller is connected to another ledger than the one that was seen.
 */
export async function changedSince(client: ClientBase, account_id: bigint, seen: string): Promise<boolean> {
  const { rows } = await client.query<{ changed: boolean }>(
    'select service.changed_since($1, $2) as changed',
    [account_id, seen],
  );
  return rows[0]?.changed !== false;
}
