/** Access tokens as the ledger keeps them: by their digest, never by their text. */
import { timingSafeEqual } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';

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
  const { rows } = await pool.query<TokenHolder & { stored_sha256: Uint8Array }>(
    'select * from service.authenticate($1)',
    [Buffer.from(sha256)],
  );
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
}

/** Keeps a token as the owner role and gives its id. The ledger refuses an issuer who is no owner or admin. */
export async function insertToken(client: ClientBase, token: NewToken): Promise<bigint> {
  const { rows } = await client.query<{ id: bigint }>(
    `insert into vault.access_tokens (account_id, kind, name, prefix, last_four, checksum, sha256, issued_by_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
    [
      token.account_id,
      token.kind,
      token.name,
      token.prefix,
      token.last_four,
      token.checksum,
      Buffer.from(token.sha256),
      token.issued_by_id,
    ],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('an insert that returns its id returned none');
  return row.id;
}

/** The first owner, else admin, still in the account; null when there is none. */
export async function findIssuer(client: ClientBase, accountId: bigint): Promise<bigint | null> {
  const { rows } = await client.query<{ user_id: bigint }>(
    `select user_id from ledger.memberships
     where account_id = $1 and role in ('owner', 'admin') and removed_at is null
     order by role = 'owner' desc, user_id limit 1`,
    [accountId],
  );
  return rows[0]?.user_id ?? null;
}
