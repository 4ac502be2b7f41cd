/** The builds of accounts that wait in the queue or run: those that a person need not start. */
import type { ClientBase, Pool } from 'pg';
import { type Holding, readStatement } from '../database/columns.ts';
import type { PendingBuild } from '../next-step.ts';
import { BUILD_QUEUE } from './queue-rules.ts';

const PENDING_COLUMNS = {
  account_id: 'int8',
  state: 'text' as Holding<'text', PendingBuild['state']>,
  at: 'timestamptz',
  tries: 'int4',
  max_tries: 'int4',
  untaken: 'bool',
} as const;

/** By account, for those of these accounts that have one: the running build, else the build that begins first. */
export async function readPendingBuilds(
  service: ClientBase | Pool,
  accounts: readonly bigint[],
): Promise<ReadonlyMap<bigint, PendingBuild>> {
  const values = [BUILD_QUEUE, accounts.map(String)];
  const rows = await readStatement(service, {
    name: 'ops.job',
    text: PENDING,
    values,
    columns: PENDING_COLUMNS,
  });
  return new Map(rows.map((row) => [row.account_id, row]));
}

// A taken job counts one attempt more than a job whose retry still waits. Workers look each second and send a heartbeat each
// ten: five minutes without a sign from any of them, while a build is due, mean that none runs or reaches the database.
const PENDING = `
  with pending as (
    select (data ->> 'account_id')::bigint as account_id, state::text as state, start_after, started_on, retry_limit,
      case when state = 'active' then heartbeat_on else start_after end as due,
      retry_count + case when state = 'retry' then 2 else 1 end as tries
    from ops.job
    where name = $1 and state in ('created', 'retry', 'active') and jsonb_typeof(data -> 'account_id') = 'number'
  )
  select distinct on (account_id) account_id,
    case state when 'active' then 'building' when 'retry' then 'retry' else 'queued' end as state,
    case when state = 'active' then coalesce(started_on, start_after) else start_after end as at,
    tries::int as tries, greatest(retry_limit + 1, tries)::int as max_tries,
    coalesce(due < statement_timestamp() - interval '5 minutes', false) and not exists (
      select from ops.job
      where name = $1 and greatest(heartbeat_on, started_on, completed_on) > statement_timestamp() - interval '5 minutes'
    ) as untaken
  from pending
  where account_id = any($2::bigint[])
  order by account_id, state = 'active' desc, start_after`;
