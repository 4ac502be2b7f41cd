/** The records of earlier deliveries to a target: those to delete there, and those of retracted snapshots. */
import { type InferResult, sql } from 'kysely';
import type { ClientBase, Pool } from 'pg';
import { anyOf, call, countRows, db, readOne, readRows } from '../database/query.ts';
import type { DueDelivery } from './records.ts';

type OfTarget = Pick<DueDelivery, 'account_id' | 'target_id'>;

/** How many delivered snapshots stay at the target; null: all. */
export async function readKeep(service: Pool, { account_id, target_id }: OfTarget): Promise<number | null> {
  return (
    await readOne(service, db.selectNoFrom(call('ops.delivery_keep', account_id, target_id).as('keep')))
  ).keep;
}

const DELIVERED = db
  .selectFrom('ops.snapshot_deliveries')
  .where('state', '=', 'delivered')
  .where('pruned_at', 'is', null);

/** The deliveries behind the newest that stay, the oldest first. */
export async function readOverdue(
  service: Pool,
  { account_id, target_id }: OfTarget,
  keep: number,
): Promise<readonly bigint[]> {
  const older = DELIVERED.select('id')
    .where('account_id', '=', account_id)
    .where('target_id', '=', target_id)
    .orderBy('seq', 'desc')
    .offset(keep);
  return (await readRows(service, older)).map(({ id }) => id).toReversed();
}

const OWN = db
  .selectFrom('ops.delivered_objects')
  .select(['key', 'made_at'])
  .where('own', '=', true)
  .where('made_at', 'is not', null)
  // The manifest first: a folder without it is not taken for whole.
  .orderBy(sql`key like '%/manifest.json'`, 'desc')
  .orderBy('key');

/** An object that a delivery made, and when. */
export type OwnObject = Readonly<InferResult<typeof OWN>[number]>;

/** The objects that the delivery made itself, in the order in which they are deleted. */
export async function readOwnObjects(
  service: Pool,
  account_id: bigint,
  delivery_id: bigint,
): Promise<readonly OwnObject[]> {
  return await readRows(
    service,
    OWN.where('account_id', '=', account_id).where('delivery_id', '=', delivery_id),
  );
}

/** Records that the objects of the delivery are deleted. */
export async function recordPruned(service: Pool, account_id: bigint, id: bigint): Promise<void> {
  const pruned = db
    .updateTable('ops.snapshot_deliveries')
    .set({ pruned_at: sql<bigint>`clock_timestamp()` })
    .where('account_id', '=', account_id)
    .where('id', '=', id);
  await countRows(service, pruned);
}

/** Lets the deliveries of these retracted snapshots run once more, under new jobs. */
export async function reopenRetracted(
  session: ClientBase,
  { account_id, target_id }: OfTarget,
  retracted: readonly string[],
) {
  const reopened = db
    .updateTable('ops.snapshot_deliveries')
    .set({ state: 'pending', job_id: sql<string>`gen_random_uuid()` })
    .where('account_id', '=', account_id)
    .where('target_id', '=', target_id)
    .where('state', '=', 'delivered')
    .where('pruned_at', 'is', null)
    .where('snapshot_id', '=', anyOf(retracted, 'text'))
    .returning(['account_id', 'id', 'job_id']);
  return await readRows(session, reopened);
}
