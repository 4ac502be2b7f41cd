/** What the queue needs of its own tables beyond what pg-boss offers. */
import type { Pool } from 'pg';
import { BUILD_QUEUE, MAX_RETRIES } from './queue-rules.ts';

/** Lets another worker take the job at once; nothing happens when it is no longer this try. */
export async function giveBack(
  service: Pool,
  { id, retryCount }: { readonly id: string; readonly retryCount: number },
  queue = BUILD_QUEUE,
): Promise<void> {
  await service.query(GIVE_BACK, [queue, id, retryCount]);
}

/** The same for every build that is held. */
export async function giveBackAll(service: Pool): Promise<void> {
  await service.query(GIVE_BACK_ALL, [BUILD_QUEUE]);
}

/** Grants a held build another try for the one before it, whose worker was lost. */
export async function forgiveLoss(service: Pool, id: string): Promise<void> {
  await service.query(FORGIVE, [BUILD_QUEUE, id, MAX_RETRIES]);
}

/** Removes the jobs of these ids, unless they are being worked on. */
export async function forgetWaiting(service: Pool, ids: readonly string[]): Promise<void> {
  await service.query(FORGET, [BUILD_QUEUE, ids]);
}

/** True while any build is waiting or held. */
export async function holdsPending(service: Pool): Promise<boolean> {
  const { rows } = await service.query<{ pending: boolean }>(PENDING, [BUILD_QUEUE]);
  return rows[0]?.pending === true;
}

// As though it had not begun: pg-boss counts a try when a build that has begun is taken again.
const RETURNED = `update ops.job set state = 'created', started_on = null, heartbeat_on = null`;

const GIVE_BACK = `${RETURNED} where name = $1 and id = $2 and state = 'active' and retry_count = $3`;

const GIVE_BACK_ALL = `${RETURNED} where name = $1 and state = 'active'`;

const FORGIVE = `
  update ops.job set retry_limit = retry_limit + 1
  where name = $1 and id = $2 and state = 'active' and retry_limit < $3`;

const FORGET = `delete from ops.job where name = $1 and id = any($2::uuid[]) and state <> 'active'`;

const PENDING = `select exists (select from ops.job where name = $1 and state <= 'active') as pending`;
