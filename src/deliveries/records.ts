/** The deliveries, and the objects that they made, in tables of schema `ops`. */
import { type InferResult, type NotNull, sql } from 'kysely';
import type { ClientBase, Pool } from 'pg';
import { call, countRows, db, readFirst, readRows } from '../database/query.ts';
import { takeSession } from '../postgres-errors.ts';
import type { Instant } from '../instant.ts';

const TARGETS = db
  .selectFrom(call('ops.delivery_targets').as('target'))
  .select(['account_id', 'target_id', 'seq'])
  .$narrowType<{ account_id: NotNull; target_id: NotNull }>();

/** A target of an account, and the highest entry of the publish log that it has a delivery for; null: none yet. */
export type TargetProgress = Readonly<InferResult<typeof TARGETS>[number]>;

/** The targets of all accounts, without their addresses. */
export async function readTargets(service: Pool): Promise<readonly TargetProgress[]> {
  return await readRows(service, TARGETS);
}

/** The delivery of a snapshot to a target. */
export interface NewDelivery {
  readonly account_id: bigint;
  readonly target_id: bigint;
  readonly snapshot_id: string;
  /** The number of its entry in the publish log. */
  readonly seq: number;
}

const QUEUED = ['account_id', 'id', 'job_id'] as const;

/** Stores the deliveries that are not stored yet, and returns those with the ids of their jobs. */
export async function insertDeliveries(session: ClientBase, deliveries: readonly NewDelivery[]) {
  const kept = db
    .insertInto('ops.snapshot_deliveries')
    .values([...deliveries])
    .onConflict((conflict) => conflict.columns(['account_id', 'target_id', 'seq']).doNothing())
    .returning(QUEUED);
  return deliveries.length === 0 ? [] : await readRows(session, kept);
}

const DUE = db
  .selectFrom('ops.snapshot_deliveries as d')
  .innerJoinLateral(
    (eb) => call('ops.delivery_target', eb.ref('d.account_id'), eb.ref('d.target_id')).as('t'),
    (join) => join.onTrue(),
  )
  .select(['d.account_id', 'd.id', 'd.target_id', 'd.snapshot_id', 'd.seq'])
  .select(['t.address', 't.endpoint', 't.region', 't.sealed'])
  .$narrowType<{ address: NotNull }>()
  .where('d.state', '=', 'pending');

/** All that an attempt needs. */
export type DueDelivery = Readonly<InferResult<typeof DUE>[number]>;

/** What an attempt needs; null if the delivery is not pending any more, or its target was removed. */
export async function readDelivery(
  service: Pool,
  account_id: bigint,
  id: bigint,
): Promise<DueDelivery | null> {
  return await readFirst(service, DUE.where('d.account_id', '=', account_id).where('d.id', '=', id));
}

/** `pending`: another attempt follows. The other states are final. */
export interface Outcome {
  readonly state: 'delivered' | 'failed' | 'pending' | 'withdrawn';
  /** Why the attempt failed; null if it did not. */
  readonly fault: string | null;
}

type Named = Pick<DueDelivery, 'account_id' | 'id'>;

/** Records an attempt. */
export async function recordAttempt(
  service: Pool,
  { account_id, id }: Named,
  { state, fault }: Outcome,
): Promise<void> {
  const now = sql<bigint>`clock_timestamp()`;
  const tried = db
    .updateTable('ops.snapshot_deliveries')
    .set((eb) => ({ state, tries: eb('tries', '+', 1), tried_at: now, fault }))
    .$if(state === 'delivered', (update) => update.set({ delivered_at: now }))
    .where('account_id', '=', account_id)
    .where('id', '=', id);
  await countRows(service, tried);
}

/** Records what went wrong after the delivery was whole. */
export async function recordFault(service: Pool, { account_id, id }: Named, fault: string): Promise<void> {
  const told = db.updateTable('ops.snapshot_deliveries').set({ fault });
  await countRows(service, told.where('account_id', '=', account_id).where('id', '=', id));
}

/** An object of a delivery. */
interface PlannedObject {
  readonly key: string;
  /** False: it was there before the delivery began. */
  readonly own: boolean;
}

/** The objects that were planned, each true if its bytes were compared already; empty before the first attempt. */
export async function readObjects(
  service: Pool,
  { account_id, id }: Named,
): Promise<ReadonlyMap<string, boolean>> {
  const planned = db
    .selectFrom('ops.delivered_objects')
    .select(['key', sql<boolean>`compared_at is not null`.as('compared')])
    .where('account_id', '=', account_id)
    .where('delivery_id', '=', id);
  return new Map((await readRows(service, planned)).map(({ key, compared }) => [key, compared]));
}

/** Records an object of a delivery, before it is made. */
export async function planObject(
  service: Pool,
  { account_id, id: delivery_id }: Named,
  object: PlannedObject,
): Promise<void> {
  const kept = db
    .insertInto('ops.delivered_objects')
    .values({ account_id, delivery_id, ...object })
    .onConflict((conflict) => conflict.columns(['account_id', 'delivery_id', 'key']).doNothing());
  await countRows(service, kept);
}

/** Records that the bytes of an object were read back and are those of the snapshot, and when the target says it was made. */
export async function recordCompared(
  service: Pool,
  { account_id, id }: Named,
  { key, made_at }: { readonly key: string; readonly made_at: Instant },
): Promise<void> {
  const compared = db
    .updateTable('ops.delivered_objects')
    .set({ compared_at: sql<bigint>`clock_timestamp()`, made_at })
    .where('account_id', '=', account_id)
    .where('delivery_id', '=', id)
    .where('key', '=', key);
  await countRows(service, compared);
}

/**
 * Runs the step while no other worker runs one for this target: a folder cannot compare and replace at once. The step must be
 * short, because it holds a session.
 */
export async function holdingTarget(
  service: Pool,
  { account_id, target_id }: Pick<DueDelivery, 'account_id' | 'target_id'>,
  step: () => Promise<void>,
): Promise<void> {
  using pooled = await takeSession(service);
  const session = pooled.client;
  await session.query('begin');
  try {
    const rows = db
      .selectFrom('ops.snapshot_deliveries')
      .select('id')
      .where('account_id', '=', account_id)
      .where('target_id', '=', target_id)
      .orderBy('id')
      .limit(1)
      .forUpdate();
    await readRows(session, rows);
    await step();
  } finally {
    await pooled.rollback();
  }
}

/** Marks deliveries without a job as failed: a worker that died in its last attempt could not record the failure. */
export async function tidyDeliveries(service: Pool, queue: string): Promise<void> {
  const lost = db
    .updateTable('ops.snapshot_deliveries as d')
    .set((eb) => ({ state: 'failed', fault: eb.fn.coalesce('fault', sql.lit('The worker was lost.')) }))
    .where('d.state', '=', 'pending')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('ops.job as j')
            .select('j.id')
            .where('j.name', '=', queue)
            .whereRef('j.id', '=', 'd.job_id')
            .where('j.state', '<', 'completed'),
        ),
      ),
    );
  await countRows(service, lost);
}
