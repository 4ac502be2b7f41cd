/** Stores in `ops.token_uses` when each access token was last used. */
import type { Pool } from 'pg';
import { db, readFirst } from '../database/query.ts';
import type { Instant } from '../instant.ts';

export interface TokenUse {
  readonly account_id: bigint;
  readonly token_id: bigint;
  readonly last_used_at: Instant;
}

/** Stores the last use of each token; never replaces it by an earlier use. */
export async function keepTokenUses(service: Pool, uses: readonly TokenUse[]): Promise<void> {
  await service.query(KEEP, [
    uses.map(({ account_id }) => account_id),
    uses.map(({ token_id }) => token_id),
    uses.map(({ last_used_at }) => last_used_at),
  ]);
}

const LAST_USED = db
  .selectFrom('ops.token_uses')
  .select('account_id')
  .orderBy('last_used_at', 'desc')
  .limit(1);

/** The account of the token that was used last; null if none was used yet. */
export async function readLastUsed(service: Pool): Promise<bigint | null> {
  return (await readFirst(service, LAST_USED))?.account_id ?? null;
}

// Insert in the order of the key, so that two servers cannot deadlock. An interval of microseconds is exact; a float of
// seconds would not be.
const KEEP = `
  insert into ops.token_uses (account_id, token_id, last_used_at)
  select account_id, token_id, timestamptz 'epoch' + last_used_at * interval '1 microsecond'
  from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as used (account_id, token_id, last_used_at)
  order by account_id, token_id
  on conflict (account_id, token_id) do update
  set last_used_at = greatest(token_uses.last_used_at, excluded.last_used_at)`;
