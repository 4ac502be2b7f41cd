/** Statements on the queue's tables that pg-boss does not offer. */
import type { Pool } from 'pg';
import { anyOf, countRows, db, readFirst } from '../database/query.ts';
import { BUILD_QUEUE, MAX_RETRIES, RANGE_QUEUE } from './queue-rules.ts';

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

/** A range without a worker, and its outcome. */
export interface FreeRange {
  readonly state: string;
  readonly data: unknown;
  readonly output: unknown;
}

/** Removes a range of the build and returns it: an ended range first, then a waiting range. Null if workers hold all that are left. */
export async function takeFreeRange(service: Pool, build: string): Promise<FreeRange | null> {
  const taken = db
    .with('free', (from) =>
      from
        .selectFrom('ops.job')
        .select('id')
        .where('name', '=', RANGE_QUEUE)
        .where('singleton_key', '=', build)
        .where('state', '<>', 'active')
        // In the order of states an ended range comes after a waiting range.
        .orderBy('state', 'desc')
        .orderBy('priority', 'desc')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .deleteFrom('ops.job')
    .using('free')
    .whereRef('ops.job.id', '=', 'free.id')
    .where('name', '=', RANGE_QUEUE)
    .returning(['state', 'data', 'output']);
  return await readFirst(service, taken);
}

/** True if any range of the build is left. */
export async function holdsRanges(service: Pool, build: string): Promise<boolean> {
  const left = db.selectFrom('ops.job').select('id').where('name', '=', RANGE_QUEUE);
  return (await countRows(service, left.where('singleton_key', '=', build).limit(1))) === 1;
}

/** Removes the ranges of the build, also those that workers hold: these notice it by their next heartbeat. */
export async function removeRanges(service: Pool, build: string): Promise<void> {
  const left = db.deleteFrom('ops.job').where('name', '=', RANGE_QUEUE);
  await countRows(service, left.where('singleton_key', '=', build));
}
