/** Tells whether the ledger changed since figures were computed, so that cached figures can be reused. */
import type { ClientBase } from 'pg';
import { call, db, readOne } from '../../database/query.ts';

/** The name of the caller's snapshot of the ledger; pass it to `changedSince`. */
export async function readSeen(client: ClientBase): Promise<string> {
  const { seen } = await readOne(client, db.selectNoFrom(call('service.seen').as('seen')));
  if (seen === null) throw new Error('the ledger returned no name for its snapshot');
  return seen;
}

/**
 * True if costs, value or initiatives of the account changed between the snapshot `seen` and the caller's. Also true if the
 * caller is connected to another database than the one that made `seen`.
 */
export async function changedSince(client: ClientBase, account_id: bigint, seen: string): Promise<boolean> {
  const question = db.selectNoFrom(call('service.changed_since', account_id, seen).as('changed'));
  return (await readOne(client, question)).changed !== false;
}
