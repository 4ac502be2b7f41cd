/** Tells whether the ledger changed since figures were computed, so that cached figures can be reused. */
import type { ClientBase } from 'pg';
import { readStatement } from '../../database/columns.ts';
import { call, db, readOne } from '../../database/query.ts';

/** Returns a text that marks the state of the ledger that this transaction sees; pass it to `changedSince`. */
export async function readSeen(client: ClientBase): Promise<string> {
  const { seen } = await readOne(client, db.selectNoFrom(call('service.seen').as('seen')));
  if (seen === null) throw new Error('the ledger returned no name for its snapshot');
  return seen;
}

/**
 * True if cost entries, value entries or initiatives of the account changed after `seen`, as far as this transaction
 * sees. Also true if `seen` comes from another database, or from before PostgreSQL was restarted or restored.
 */
export async function changedSince(client: ClientBase, account_id: bigint, seen: string): Promise<boolean> {
  const question = db.selectNoFrom(call('service.changed_since', account_id, seen).as('changed'));
  return (await readOne(client, question)).changed !== false;
}

/**
 * The initiatives whose entries changed after `seen`, as far as this transaction sees. Null if it is unknown which
 * initiatives changed: then all sums must be read again.
 */
export async function changedInitiatives(
  client: ClientBase,
  account_id: bigint,
  seen: string,
): Promise<readonly bigint[] | null> {
  const [row] = await readStatement(client, {
    name: 'the changed initiatives',
    text: 'select service.changed_initiatives($1, $2) as initiatives',
    values: [account_id, seen],
    columns: { initiatives: 'text[]?' },
  });
  return row?.initiatives?.map(BigInt) ?? null;
}
