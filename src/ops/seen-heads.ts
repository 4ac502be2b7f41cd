/** The heads of logs that were seen last, as `ops.seen_heads` keeps them for all servers and builds. */
import type { ClientBase, Pool } from 'pg';

interface SeenRow {
  readonly generation: bigint;
  readonly seq: number;
  readonly entry_sha256: string;
}

/** The head seen last in that store; null when none was. */
export async function readSeenHead(
  service: ClientBase | Pool,
  account_id: bigint,
  store: string,
): Promise<SeenRow | null> {
  const { rows } = await service.query<SeenRow & { readonly seq: bigint }>(READ, [account_id, store]);
  const [row] = rows;
  return row === undefined ? null : { ...row, seq: Number(row.seq) };
}

/** Keeps the head, unless a later one is there; an account that is gone has none. */
export async function keepSeenHead(
  service: ClientBase | Pool,
  account_id: bigint,
  store: string,
  { generation, seq, entry_sha256 }: SeenRow,
): Promise<void> {
  await service.query(KEEP, [account_id, store, generation, seq, entry_sha256]);
}

const READ = 'select generation, seq, entry_sha256 from ops.seen_heads where account_id = $1 and store = $2';

const KEEP = `
  insert into ops.seen_heads as kept (account_id, store, generation, seq, entry_sha256)
  values ($1, $2, $3, $4, $5)
  on conflict (account_id, store) do update
  set generation = excluded.generation, seq = excluded.seq, entry_sha256 = excluded.entry_sha256,
    seen_at = clock_timestamp()
  where (kept.generation, kept.seq) < (excluded.generation, excluded.seq)`;
