/** Access tokens as the ledger keeps them: by their digest, never by their text. */
import { timingSafeEqual } from 'node:crypto';
import type { ClientBase, ClientConfig, Pool, QueryConfig } from 'pg';

// Every request waits for this one indexed look-up; what a database says later than this may no longer be so.
const LOOK_UP_LIMIT_MS = 3_000;

/** Whom a token acts for, and what the account may do. */
export interface TokenHolder {
  readonly token_id: bigint;
  readonly account_id: bigint;
  /** Null for a reporting token, which belongs to the account. */
  readonly user_id: bigint | null;
  readonly kind: 'personal' | 'reporting';
  readonly api_access: boolean;
  readonly reporting_enabled: boolean;
}

/** The holder of the token with this SHA-256; null when it is unknown, expired, revoked or its issuer has left. */
export async function findTokenHolder(pool: Pool, sha256: Uint8Array): Promise<TokenHolder | null> {
  const question: ClientConfig & QueryConfig = {
    text: 'select * from service.authenticate($1)',
    values: [Buffer.from(sha256)],
    query_timeout: LOOK_UP_LIMIT_MS,
  };
  const { rows } = await pool.query<TokenHolder & { stored_sha256: Uint8Array }>(question);
  const [row] = rows;
  // The index has compared already, but in its own time: the last word is a comparison that takes the same time always.
  if (row === undefined || !timingSafeEqual(row.stored_sha256, sha256)) return null;
  const { stored_sha256: _, ...holder } = row;
  return holder;
}

/** A token to be kept: everything but its text. */
export interface NewToken {
  readonly account_id: bigint;
  readonly kind: 'personal' | 'reporting';
  readonly name: string;
  readonly prefix: string;
  readonly last_four: string;
  readonly checksum: string;
  readonly sha256: Uint8Array;
  readonly issued_by_id: bigint;
  /** Counted from now by the database's clock; without it the token does not expire. */
  readonly expires_in_days?: number | undefined;
}

/** Keeps a token as the owner role and gives its id. The ledger refuses an issuer who is no owner or admin. */
export async function insertToken(client: ClientBase, token: NewToken): Promise<bigint> {
  const { rows } = await client.query<{ id: bigint }>(
    `insert into vault.access_tokens
       (account_id, kind, name, prefix, last_four, checksum, sha256, issued_by_id, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, clock_timestamp() + make_interval(days => $9::integer)) returning id`,
    [
      token.account_id,
      token.kind,
      token.name,
      token.prefix,
      token.last_four,
      token.checksum,
      Buffer.from(token.sha256),
      token.issued_by_id,
      token.expires_in_days ?? null,
    ],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('an insert that returns its id returned none');
  return row.id;
}

/** The first owner, else admin, still in the account; null when there is none. */
export async function findIssuer(client: ClientBase, account_id: bigint): Promise<bigint | null> {
  const { rows } = await client.query<{ user_id: bigint }>(
    `select user_id from ledger.memberships
     where account_id = $1 and role in ('owner', 'admin') and removed_at is null
     order by role = 'owner' desc, user_id limit 1`,
    [account_id],
  );
  return rows[0]?.user_id ?? null;
}

/** A token as a person tells it from others; instants in microseconds since 1970. */
export interface ListedToken {
  readonly id: bigint;
  readonly kind: 'personal' | 'reporting';
  readonly name: string;
  readonly prefix: string;
  readonly last_four: string;
  readonly issued_by_id: bigint;
  /** True once the issuer is no longer in the account: a personal token is dead then, a reporting one lives on. */
  readonly issuer_left: boolean;
  readonly created_at: bigint;
  readonly expires_at: bigint | null;
  readonly expired: boolean;
  readonly revoked_at: bigint | null;
  /** Null as long as nobody has used it. */
  readonly last_used_at: bigint | null;
}

/** The tokens of an account, also those that are dead, by ascending id; asked as the owner. */
export async function listTokens(owner: ClientBase, account_id: bigint): Promise<readonly ListedToken[]> {
  const { rows } = await owner.query<ListedToken>(
    `select t.id, t.kind, t.name, t.prefix, t.last_four, t.issued_by_id, m.removed_at is not null as issuer_left,
       t.created_at, t.expires_at, coalesce(t.expires_at <= clock_timestamp(), false) as expired, t.revoked_at,
       u.last_used_at
     from vault.access_tokens t
     join ledger.memberships m on m.account_id = t.account_id and m.user_id = t.issued_by_id
     left join ops.token_uses u on u.account_id = t.account_id and u.token_id = t.id
     where t.account_id = $1 order by t.id`,
    [account_id],
  );
  return rows;
}

/**
 * Revokes a token of the account and says when it was revoked: now, or long ago when it was already. Null if the
 * account has no such token.
 */
export async function revokeToken(
  owner: ClientBase,
  account_id: bigint,
  tokenId: bigint,
): Promise<{ readonly revoked_at: bigint; readonly before: boolean } | null> {
  const revoked = await owner.query<{ revoked_at: bigint }>(
    `update vault.access_tokens set revoked_at = clock_timestamp()
     where account_id = $1 and id = $2 and revoked_at is null returning revoked_at`,
    [account_id, tokenId],
  );
  const [now] = revoked.rows;
  if (now !== undefined) return { ...now, before: false };
  const { rows } = await owner.query<{ revoked_at: bigint }>(
    'select revoked_at from vault.access_tokens where account_id = $1 and id = $2',
    [account_id, tokenId],
  );
  const [found] = rows;
  return found === undefined ? null : { ...found, before: true };
}
