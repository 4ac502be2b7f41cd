/** Builds that nobody will try again, as the queue's dead letters tell. */
import type { Pool } from 'pg';
import { DEAD_QUEUE } from './queue-rules.ts';

export interface DeadBuild {
  /** Of the dead letter: tells one from another. */
  readonly job_id: string;
  readonly account_id: bigint;
  /** The night it was for; null for a rebuild that somebody asked for. */
  readonly night: string | null;
  /** Of the error catalogue, or `unforeseen`. */
  readonly code: string;
}

/** Those that died in the last days, the first first. */
export async function readDeadBuilds(service: Pool, days: number): Promise<readonly DeadBuild[]> {
  return (await service.query<DeadBuild>(DEAD, [DEAD_QUEUE, days])).rows;
}

const DEAD = `
  select id as job_id, (data ->> 'account_id')::bigint as account_id, singleton_key as night,
    coalesce(source_output ->> 'code', 'unforeseen') as code
  from ops.job
  where name = $1 and created_on > now() - $2::integer * interval '1 day'
    and jsonb_typeof(data -> 'account_id') = 'number'
  order by created_on, id`;
