/** When each token was last used, as `ops.token_uses` keeps it. */
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { countRows, db } from '../database/query.ts';

export interface TokenUse {
  readonly account_id: bigint;
  readonly token_id: bigint;
  /** Microseconds since 1970. */
  readonly last_used_at: bigint;
}

/** Keeps the last use of each token; an earlier one than is there already changes nothing. */
export async function keepTokenUses(service: Pool, uses: readonly TokenUse[]): Promise<void> {
  const used = sql<TokenUse>`unnest(
    ${uses.map(({ account_id }) => account_id)}::bigint[],
    ${uses.map(({ token_id }) => token_id)}::bigint[],
    ${uses.map(({ last_used_at }) => last_used_at)}::bigint[])`;
  const kept = db
    .insertInto('ops.token_uses')
    .columns(['account_id', 'token_id', 'last_used_at'])
    .expression((eb) =>
      eb
        .selectFrom(used.as<'used'>(sql`used (account_id, token_id, last_used_at)`))
        .select(['account_id', 'token_id'])
        // A second has a million microseconds, and an interval holds them exactly where a float of seconds would not.
        .select((row) =>
          sql<bigint>`timestamptz 'epoch' + ${row.ref('last_used_at')} * interval '1 microsecond'`.as('at'),
        )
        // In the order of the key, so that two servers never wait for each other in a circle.
        .orderBy('account_id')
        .orderBy('token_id'),
    )
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'token_id']).doUpdateSet((eb) => ({
        last_used_at: sql`greatest(${eb.ref('ops.token_uses.last_used_at')}, ${eb.ref('excluded.last_used_at')})`,
      })),
    );
  await countRows(service, kept);
}
