/** Access tokens in the ledger: stored by their digest, never as text. */
import { timingSafeEqual } from 'node:crypto';
import { type InferResult, type Insertable, type NotNull, sql } from 'kysely';
import type { ClientBase, Pool } from 'pg';
import { call, db, readFirst, readOne, readRows } from '../database/query.ts';
import type { Database } from '../database/schema.ts';
import { managersOf } from './accounts.ts';
import type { Instant } from '../instant.ts';

// Every request waits for this indexed look-up; it fails if the database takes longer.
const LOOK_UP_LIMIT_MS = 3_000;

/** The user and account of a token, and what the account may do. A reporting token has no user: it belongs to the account. */
export type TokenHolder = Omit<InferResult<ReturnType<typeof tokenOf>>[number], 'stored_sha256'>;

/** The holder of the token with this SHA-256; null if it is unknown, expired or revoked, or if its issuer has left. */
export async function findTokenHolder(pool: Pool, sha256: Uint8Array): Promise<TokenHolder | null> {
  const row = await readFirst(pool, tokenOf(sha256), LOOK_UP_LIMIT_MS);
  // The index has compared the digest already, but not in constant time: compare again in constant time.
  if (row === null || !timingSafeEqual(row.stored_sha256, sha256)) return null;
  const { stored_sha256: _, ...holder } = row;
  return holder;
}

function tokenOf(sha256: Uint8Array) {
  return db
    .selectFrom(call('service.authenticate', Buffer.from(sha256)).as('token'))
    .selectAll()
    .$narrowType<{
      token_id: NotNull;
      account_id: NotNull;
      kind: NewToken['kind'];
      api_access: NotNull;
      reporting_enabled: NotNull;
      stored_sha256: NotNull;
    }>();
}

/** A token to store: everything except its text. */
export interface NewToken extends Pick<
  Insertable<Database['vault.access_tokens']>,
  'account_id' | 'kind' | 'name' | 'prefix' | 'last_four' | 'checksum' | 'issued_by_id'
> {
  readonly sha256: Uint8Array;
  /** Counted from now by the database's clock; the token never expires if omitted. */
  readonly expires_in_days?: number | undefined;
}

/** Stores a token, as the owner role, and returns its id. The ledger refuses an issuer who is not an owner or admin. */
export async function insertToken(client: ClientBase, token: NewToken): Promise<bigint> {
  const { sha256, expires_in_days = null, ...named } = token;
  const days = sql<bigint | null>`clock_timestamp() + make_interval(days => ${expires_in_days}::integer)`;
  const kept = db
    .insertInto('vault.access_tokens')
    .values({ ...named, sha256: Buffer.from(sha256), expires_at: days })
    .returning('id');
  return (await readOne(client, kept)).id;
}

/** The first owner who is still in the account, or else the first admin; null if there is neither. */
export async function findIssuer(client: ClientBase, account_id: bigint): Promise<bigint | null> {
  const first = managersOf(account_id)
    .orderBy((eb) => eb('role', '=', 'owner'), 'desc')
    .orderBy('user_id')
    .limit(1);
  return (await readFirst(client, first))?.user_id ?? null;
}

const TOKENS = db
  .selectFrom('vault.access_tokens as t')
  .innerJoin('ledger.memberships as m', (join) =>
    join.onRef('m.account_id', '=', 't.account_id').onRef('m.user_id', '=', 't.issued_by_id'),
  )
  .leftJoin('ops.token_uses as u', (join) =>
    join.onRef('u.account_id', '=', 't.account_id').onRef('u.token_id', '=', 't.id'),
  )
  .select(['t.id', 't.kind', 't.name', 't.prefix', 't.last_four', 't.issued_by_id', 't.created_at'])
  .select(['t.expires_at', 't.revoked_at', 'u.last_used_at'])
  .select((eb) => [
    eb('m.removed_at', 'is not', null).$castTo<boolean>().as('issuer_left'),
    sql<boolean>`coalesce(${eb.ref('t.expires_at')} <= clock_timestamp(), false)`.as('expired'),
  ])
  .orderBy('t.id');

/**
 * A token as a list shows it. Once the issuer has left the account, a personal token
 * no longer works, but a reporting token still does. `last_used_at` is null for a token never used.
 */
export type ListedToken = Readonly<InferResult<typeof TOKENS>[number]>;

/** All tokens of an account, including expired and revoked ones, by ascending id. Call it as the owner. */
export async function listTokens(owner: ClientBase, account_id: bigint): Promise<readonly ListedToken[]> {
  return await readRows(owner, TOKENS.where('t.account_id', '=', account_id));
}

/**
 * Revokes a token of the account and returns when it was revoked: now, or earlier if it was revoked already. Null if the
 * account has no such token.
 */
export async function revokeToken(
  owner: ClientBase,
  account_id: bigint,
  token_id: bigint,
): Promise<{ readonly revoked_at: Instant; readonly before: boolean } | null> {
  const revoke = db
    .updateTable('vault.access_tokens')
    .set({ revoked_at: sql`clock_timestamp()` })
    .where('account_id', '=', account_id)
    .where('id', '=', token_id)
    .where('revoked_at', 'is', null)
    .returning((eb) => eb.ref('revoked_at').$notNull().as('revoked_at'));
  const now = await readFirst(owner, revoke);
  if (now !== null) return { ...now, before: false };
  const revoked = db
    .selectFrom('vault.access_tokens')
    .select((eb) => eb.ref('revoked_at').$notNull().as('revoked_at'))
    .where('account_id', '=', account_id)
    .where('id', '=', token_id);
  const found = await readFirst(owner, revoked);
  return found === null ? null : { ...found, before: true };
}
