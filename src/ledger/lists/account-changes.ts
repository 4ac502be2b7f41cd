/** Whether figures that were worked out at one moment of the ledger still stand. */
import type { ClientBase } from 'pg';
import { call, db, readOne } from '../../database/query.ts';

/** The ledger's own name of what the caller's transaction sees. */
export async function readSeen(client: ClientBase): Promise<string> {
  const { seen } = await readOne(client, db.selectNoFrom(call('service.seen').as('seen')));
  if (seen === null) throw new Error('the ledger gave no name to what is seen');
  return seen;
}

/**
 * True when costs, value or initiatives of the account were changed by what `seen` did not see and the caller does, and
 * when the caller is connected to another ledger than the one that was seen.
 */
export async function changedSince(client: ClientBase, account_id: bigint, seen: string): Promise<boolean> {
  const question = db.selectNoFrom(call('service.changed_since', account_id, seen).as('changed'));
  return (await readOne(client, question)).changed !== false;
}
