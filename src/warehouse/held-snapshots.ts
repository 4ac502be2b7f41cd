/** Decides if a snapshot must be loaded into a warehouse, from the snapshots that are loaded already. */
import { CrossfootError } from '../errors.ts';

export interface HeldSnapshot {
  readonly account_id: bigint;
  readonly snapshot_id: string;
}

export interface LoadDecision {
  readonly held: readonly HeldSnapshot[];
  readonly pulled: HeldSnapshot;
  /** True to keep the loaded snapshots, false to replace them. */
  readonly history: boolean;
  /** The schema of the tables, for errors. */
  readonly schema: string;
}

/**
 * True if the snapshot must be loaded, false if it is loaded already. Throws if the load would delete history or mix two
 * accounts: a snapshot id is a time in seconds, so snapshots of two accounts may have the same id.
 */
export function mustLoad({ held, pulled, history, schema }: LoadDecision): boolean {
  const isHeld = held.some(
    ({ account_id, snapshot_id }) => account_id === pulled.account_id && snapshot_id === pulled.snapshot_id,
  );
  if (!history) {
    if (held.length < 2) return !isHeld;
    throw new CrossfootError(
      'usage_invalid',
      `Schema ${schema} holds ${held.length} snapshots. A load without --history would delete them.`,
      { hint: 'Add --history, or name another schema with --schema.' },
    );
  }
  const other = held.find(({ account_id }) => account_id !== pulled.account_id);
  if (other === undefined) return !isHeld;
  throw new CrossfootError(
    'usage_invalid',
    `Schema ${schema} holds snapshots of account ${other.account_id}; this one is of account ${pulled.account_id}.`,
    { hint: 'Name another schema with --schema: each account has its own history.' },
  );
}
