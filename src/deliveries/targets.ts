/** Manages an account's delivery targets as the ledger's owner. Sealed secrets are read only to test a target. */
import { type InferResult, sql } from 'kysely';
import type { ClientBase } from 'pg';
import { countRows, db, readFirst, readOne, readRows } from '../database/query.ts';

/** A target as it is stored. */
export interface DeliveryTarget {
  readonly address: string;
  /** Null: Amazon's own, a folder, or the store of the settings. */
  readonly endpoint: string | null;
  readonly region: string | null;
  /** Null: no secret is needed. */
  readonly sealed: string | null;
}

/** Keeps other transactions from adding targets until the end of this one: what it reads of their addresses stays true. */
export async function lockTargets(owner: ClientBase): Promise<void> {
  await readOne(
    owner,
    db.selectNoFrom(sql`pg_advisory_xact_lock(hashtext('crossfoot deliveries'))`.as('locked')),
  );
}

/** Stores a target and returns its id. The caller checks the address first. */
export async function addTarget(
  owner: ClientBase,
  account_id: bigint,
  { keep = null, ...target }: DeliveryTarget & { readonly keep?: number | null },
): Promise<bigint> {
  const added = db
    .insertInto('vault.delivery_targets')
    .values({ account_id, keep, ...target })
    .returning('id');
  return (await readOne(owner, added)).id;
}

/** The addresses of all targets of all accounts. */
export async function readAddresses(
  owner: ClientBase,
): Promise<readonly { readonly account_id: bigint; readonly id: bigint; readonly address: string }[]> {
  return await readRows(
    owner,
    db.selectFrom('vault.delivery_targets').select(['account_id', 'id', 'address']).orderBy('id'),
  );
}

/** A target to test; null if the account has no target of this id. */
export async function readTarget(
  owner: ClientBase,
  account_id: bigint,
  id: bigint,
): Promise<DeliveryTarget | null> {
  const named = db
    .selectFrom('vault.delivery_targets')
    .where('account_id', '=', account_id)
    .where('id', '=', id);
  return await readFirst(owner, named.select(['address', 'endpoint', 'region', 'sealed']));
}

/** A target with its sealed secret. */
type SealedTarget = DeliveryTarget & {
  readonly account_id: bigint;
  readonly id: bigint;
  readonly sealed: string;
};

/** The targets of all accounts that have a secret of their own, by ascending id. */
export async function readSealed(owner: ClientBase): Promise<readonly SealedTarget[]> {
  return await readRows(
    owner,
    db
      .selectFrom('vault.delivery_targets')
      .select(['account_id', 'id', 'address', 'endpoint', 'region'])
      .select((eb) => eb.ref('sealed').$notNull().as('sealed'))
      .where('sealed', 'is not', null)
      .orderBy('id'),
  );
}

/** Stores another seal of the same secret. */
export async function replaceSeal(
  owner: ClientBase,
  { account_id, id }: SealedTarget,
  sealed: string,
): Promise<void> {
  const resealed = db
    .updateTable('vault.delivery_targets')
    .set({ sealed })
    .where('account_id', '=', account_id)
    .where('id', '=', id);
  await countRows(owner, resealed);
}

const TARGETS = db
  .selectFrom('vault.delivery_targets as t')
  .leftJoinLateral(
    (eb) =>
      eb
        .selectFrom('ops.snapshot_deliveries as d')
        .select(['d.snapshot_id', 'd.state', 'd.tries', 'd.fault'])
        .whereRef('d.account_id', '=', 't.account_id')
        .whereRef('d.target_id', '=', 't.id')
        .orderBy('d.seq', 'desc')
        .limit(1)
        .as('last'),
    (join) => join.onTrue(),
  )
  .select(['t.id', 't.address', 't.endpoint', 't.region', 't.keep', 't.created_at'])
  .select((eb) => [
    sql<boolean>`${eb.ref('t.sealed')} is not null`.as('has_secret'),
    eb
      .selectFrom('ops.snapshot_deliveries as d')
      .select('d.snapshot_id')
      .whereRef('d.account_id', '=', 't.account_id')
      .whereRef('d.target_id', '=', 't.id')
      .where('d.state', '=', 'delivered')
      .orderBy('d.seq', 'desc')
      .limit(1)
      .as('delivered'),
  ])
  .select(['last.snapshot_id', 'last.state', 'last.tries', 'last.fault'])
  .orderBy('t.id');

/**
 * A target in a list, without its secret. `delivered` is the newest snapshot that is there whole; `state`, `tries` and `fault` are
 * those of the newest delivery, of `snapshot_id`.
 */
export type ListedTarget = Readonly<InferResult<typeof TARGETS>[number]>;

/** The targets of an account by ascending id. */
export async function listTargets(owner: ClientBase, account_id: bigint): Promise<readonly ListedTarget[]> {
  return await readRows(owner, TARGETS.where('t.account_id', '=', account_id));
}

/** Removes a target with the log of its deliveries; false when the account has no target of this id. */
export async function removeTarget(owner: ClientBase, account_id: bigint, id: bigint): Promise<boolean> {
  const removed = db
    .deleteFrom('vault.delivery_targets')
    .where('account_id', '=', account_id)
    .where('id', '=', id);
  return (await countRows(owner, removed)) === 1;
}
