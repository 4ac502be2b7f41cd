/** The heads of logs that were seen last, as `ops.seen_heads` keeps them for all servers and builds. */
import { sql } from 'kysely';
import type { ClientBase, Pool } from 'pg';
import { countRows, db, readFirst } from '../database/query.ts';

interface SeenHead {
  readonly generation: bigint;
  readonly seq: number;
  readonly entry_sha256: string;
}

/** The head seen last in that store; null when none was. */
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

/** Keeps the head, unless a later one is there; an account that is gone has none. */
export async function keepSeenHead(
  service: ClientBase | Pool,
  account_id: bigint,
  store: string,
  { generation, seq, entry_sha256 }: SeenHead,
): Promise<void> {
  const kept = db
    .insertInto('ops.seen_heads')
    .values({ account_id, store, generation, seq: BigInt(seq), entry_sha256 })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'store'])
        .doUpdateSet((eb) => ({
          generation: eb.ref('excluded.generation'),
          seq: eb.ref('excluded.seq'),
          entry_sha256: eb.ref('excluded.entry_sha256'),
          seen_at: sql`clock_timestamp()`,
        }))
        .where((eb) =>
          eb(
            eb.refTuple('ops.seen_heads.generation', 'ops.seen_heads.seq'),
            '<',
            eb.refTuple('excluded.generation', 'excluded.seq'),
          ),
        ),
    );
  await countRows(service, kept);
}
