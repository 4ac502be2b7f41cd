/**
 * The last seen head (newest entry) of each account's publish log, in `ops.seen_heads`, for all servers and builds. A store
 * that shows an older head later was set back.
 */
import type { ClientBase, Pool } from 'pg';
import { db, readFirst } from '../database/query.ts';

interface SeenHead {
  readonly generation: bigint;
  readonly seq: number;
  readonly entry_sha256: string;
}

/** The last seen head of the account's log in that store; null if none was stored. */
export async function readSeenHead(
  service: ClientBase | Pool,
  account_id: bigint,
  store: string,
): Promise<SeenHead | null> {
  const seen = db
    .selectFrom('ops.seen_heads')
    .select(['generation', 'seq', 'entry_sha256'])
    .where('account_id', '=', account_id)
    .where('store', '=', store);
  const row = await readFirst(service, seen);
  return row === null ? null : { ...row, seq: Number(row.seq) };
}

/** Stores the head unless a later one is stored. Rejects for a deleted account, by the foreign key. */
export async function keepSeenHead(
  service: ClientBase | Pool,
  account_id: bigint,
  store: string,
  { generation, seq, entry_sha256 }: SeenHead,
): Promise<void> {
  await service.query(KEEP, [account_id, store, generation, seq, entry_sha256]);
}

const KEEP = `
  insert into ops.seen_heads (account_id, store, generation, seq, entry_sha256)
  values ($1, $2, $3, $4, $5)
  on conflict (account_id, store) do update
  set generation = excluded.generation, seq = excluded.seq, entry_sha256 = excluded.entry_sha256,
    seen_at = clock_timestamp()
  where (seen_heads.generation, seen_heads.seq) < (excluded.generation, excluded.seq)`;
