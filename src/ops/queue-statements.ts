/** Statements on the queue's tables that pg-boss does not offer. */
import type { Pool } from 'pg';
import { anyOf, countRows, db } from '../database/query.ts';
import { BUILD_QUEUE, MAX_RETRIES } from './queue-rules.ts';

/** Releases the job for another worker; does nothing if the attempt has ended. */
export async function giveBack(
  service: Pool,
  { id, retryCount }: { readonly id: string; readonly retryCount: number },
  queue = BUILD_QUEUE,
): Promise<void> {
  await countRows(service, returnAll(queue).where('id', '=', id).where('retry_count', '=', retryCount));
}

/** Releases every held build. */
export async function giveBackAll(service: Pool): Promise<void> {
  await countRows(service, returnAll(BUILD_QUEUE));
}

/** Resets jobs to waiting. Without a start time the attempt does not count: pg-boss counts a retry of a started job. */
function returnAll(queue: string) {
  return db
    .updateTable('ops.job')
    .set({ state: 'created', started_on: null, heartbeat_on: null })
    .where('name', '=', queue)
    .where('state', '=', 'active');
}

/** Grants a build one more retry, for an attempt whose worker died. */
export async function forgiveLoss(service: Pool, id: string): Promise<void> {
  const forgiven = db
    .updateTable('ops.job')
    .set((eb) => ({ retry_limit: eb('retry_limit', '+', 1) }))
    .where('name', '=', BUILD_QUEUE)
    .where('id', '=', id)
    .where('state', '=', 'active')
    .where('retry_limit', '<', MAX_RETRIES);
  await countRows(service, forgiven);
}

/** Deletes the jobs with these ids, except those that a worker holds. */
export async function forgetWaiting(service: Pool, ids: readonly string[]): Promise<void> {
  const waiting = db
    .deleteFrom('ops.job')
    .where('name', '=', BUILD_QUEUE)
    .where('id', '=', anyOf(ids, 'uuid'));
  await countRows(service, waiting.where('state', '<>', 'active'));
}

/** True if any build is waiting, or held by a worker. */
export async function holdsPending(service: Pool): Promise<boolean> {
  const pending = db
    .selectFrom('ops.job')
    .select('id')
    .where('name', '=', BUILD_QUEUE)
    .where('state', '<=', 'active');
  return (await countRows(service, pending.limit(1))) === 1;
}
