/** Builds without a further retry, read from the dead-letter queue. */
import { type InferResult, sql } from 'kysely';
import type { Pool } from 'pg';
import { db, readRows } from '../database/query.ts';
import { DEAD_QUEUE } from './queue-rules.ts';

const DEAD = db
  .selectFrom('ops.job')
  .select(['id as job_id', 'singleton_key as night'])
  .select((eb) => [
    sql<bigint>`(${eb.ref('data')} ->> 'account_id')::bigint`.as('account_id'),
    sql<string>`coalesce(${eb.ref('source_output')} ->> 'code', 'unforeseen')`.as('code'),
  ])
  .where('name', '=', DEAD_QUEUE)
  .where((eb) => sql<boolean>`jsonb_typeof(${eb.ref('data')} -> 'account_id') = 'number'`)
  // Leave out a malformed job, whose number has a fraction or more digits than an id.
  .where((eb) => sql<boolean>`${eb.ref('data')} ->> 'account_id' ~ '^[0-9]{1,18}$'`)
  .orderBy('created_on')
  .orderBy('id');

/**
 * A dead letter: its id, account, and `night`, which is null for a rebuild; `code` is a code of the error catalogue, or
 * `unforeseen`.
 */
export type DeadBuild = Readonly<InferResult<typeof DEAD>[number]>;

/** The builds that died in the last days, oldest first. */
export async function readDeadBuilds(service: Pool, days: number): Promise<readonly DeadBuild[]> {
  const since = sql<bigint>`now() - ${days}::integer * interval '1 day'`;
  return await readRows(service, DEAD.where('created_on', '>', since));
}
