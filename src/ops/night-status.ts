/** The progress of a night, read from the queue. */
import type { Pool } from 'pg';
import { type Holding, readStatement } from '../database/columns.ts';
import { REFUSAL_CODES } from '../errors.ts';
import type { Instant } from '../instant.ts';
import { BUILD_QUEUE, DEAD_QUEUE } from './queue-rules.ts';

/**
 * The state of a night's build. `published`: the account has a snapshot of this night or of a later moment. `off`: the
 * account no longer reports. `refused` (by the audit) and `failed` (another error): a retry follows. `dead`: no retry is
 * left.
 */
export type BuildState = 'queued' | 'building' | 'published' | 'off' | 'refused' | 'failed' | 'dead';

/** The state of a rebuild. A person queues it, or the program after damage of the newest snapshot. */
type RebuildState = Exclude<BuildState, 'off' | 'published'>;

/** A build that has failed at least once and is not published. */
export interface Trouble {
  readonly account_id: bigint;
  readonly state: BuildState;
  readonly tries: number;
  readonly code: string;
  readonly message: string;
  /** The code of the operating system, such as ENOSPC; null if the error has none. */
  readonly os_code: string | null;
  /** When its last attempt ended, as RFC 3339; null if the queue did not record it. */
  readonly ended_at: string | null;
}

export interface NightStatus {
  readonly counts: Readonly<Record<BuildState, number>>;
  /** When an attempt of the night ended last; null if none has. */
  readonly last_ended_at: Instant | null;
  /** By ascending account id, up to the requested number. */
  readonly troubles: readonly Trouble[];
  /** The published builds with the longest times: that of the build itself, which its worker reported, else that of the job. */
  readonly slowest: readonly { readonly account_id: bigint; readonly seconds: number }[];
  /** Rebuilds that are waiting or running, also for a further try. */
  readonly rebuilds: number;
  /** Rebuilds that are not published: those without a further retry only if they ended within the last day. */
  readonly rebuild_counts: Readonly<Record<RebuildState, number>>;
  /** Rebuilds that failed and are tried again, and those of the last day that are not; like `troubles`. */
  readonly rebuild_troubles: readonly Trouble[];
  /** Builds of the night, and rebuilds, whose last attempt failed without a refusal and that are not given up: they wait for a retry or are in it. */
  readonly failing: { readonly night: number; readonly rebuild: number };
  /** Dead letters of all nights, including rebuilds. */
  readonly dead_letters: number;
}

/** Reads the status in one statement. */
export async function readNightStatus(
  service: Pool,
  night: string,
  most: { readonly troubles: number; readonly slowest: number },
): Promise<NightStatus> {
  const rows = await readStatement(service, {
    name: 'ops.job',
    text: STATUS,
    values: [night, BUILD_QUEUE, DEAD_QUEUE, most.troubles, most.slowest],
    columns: STATUS_COLUMNS,
  });
  const [status] = rows;
  if (status === undefined) throw new Error('an aggregate without a row');
  const { queued, building, refused, failed } = status.rebuild_counts;
  return {
    ...status,
    rebuilds: queued + building + refused + failed,
    troubles: status.troubles.map((row) => ({ ...row, account_id: BigInt(row.account_id) })),
    rebuild_troubles: status.rebuild_troubles.map((row) => ({ ...row, account_id: BigInt(row.account_id) })),
    slowest: status.slowest.map((row) => ({ ...row, account_id: BigInt(row.account_id) })),
  };
}

/** A row in its JSON form, in which the account id is a number. */
type InJson<Row> = Omit<Row, 'account_id'> & { readonly account_id: number };

const STATUS_COLUMNS = {
  counts: 'json' as Holding<'json', NightStatus['counts']>,
  rebuild_counts: 'json' as Holding<'json', NightStatus['rebuild_counts']>,
  failing: 'json' as Holding<'json', NightStatus['failing']>,
  last_ended_at: 'timestamptz?',
  troubles: 'json' as Holding<'json', readonly InJson<Trouble>[]>,
  rebuild_troubles: 'json' as Holding<'json', readonly InJson<Trouble>[]>,
  slowest: 'json' as Holding<'json', readonly InJson<NightStatus['slowest'][number]>[]>,
  dead_letters: 'int4',
} as const;

const REFUSAL_LIST = REFUSAL_CODES.map((code) => `'${code}'`).join(', ');

/**
 * The `BuildState` of a row of `ops.job`, in SQL. The code of a failure distinguishes refused figures from other errors.
 */
export const BUILD_STATE = `
  case
    when state = 'created' then 'queued'
    when state = 'active' then 'building'
    when state = 'completed' then case when output ->> 'outcome' = 'off' then 'off' else 'published' end
    when state = 'failed' then 'dead'
    when output ->> 'code' in (${REFUSAL_LIST}) then 'refused'
    else 'failed'
  end`;

const STATUS = `
  with jobs as (
    select (data ->> 'account_id')::bigint as account_id, retry_count + 1 as tries, output, singleton_key, completed_on,
      case when jsonb_typeof(output -> 'ms') = 'number' then (output ->> 'ms')::float8 / 1000
        else extract(epoch from completed_on - started_on)::float8 end as seconds,
      ${BUILD_STATE} as state,
      -- The output of the attempt before stays while a retry waits and runs.
      state <= 'active' and output is not null and coalesce(output ->> 'code', '') not in (${REFUSAL_LIST}) as failing
    from ops.job
    where name = $2 and (singleton_key = $1 or singleton_key is null)
      and state <> 'cancelled' and jsonb_typeof(data -> 'account_id') = 'number'
  ), builds as (
    select * from jobs where singleton_key is not null
  ), rebuilds as (
    select * from jobs
    where singleton_key is null and (state <> 'dead' or completed_on > statement_timestamp() - interval '1 day')
  ), failures as (
    select account_id, state, tries, coalesce(output ->> 'code', 'unforeseen') as code,
      coalesce(output ->> 'message', output -> 'value' ->> 'message', 'No message was recorded.') as message,
      output #>> '{data,code}' as os_code, singleton_key,
      to_char(completed_on at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as ended_at
    from (select * from builds union all select * from rebuilds) as ended
    where state in ('refused', 'failed', 'dead')
  ), troubles as (
    select account_id, state, tries, code, message, os_code, ended_at
    from failures where singleton_key is not null order by account_id limit $4
  ), rebuild_troubles as (
    select account_id, state, tries, code, message, os_code, ended_at
    from failures where singleton_key is null order by account_id limit $4
  ), slowest as (
    select account_id, seconds from builds where state = 'published' order by seconds desc, account_id limit $5
  )
  select
    (select json_object_agg(name, (select count(*) from builds where state = name))
     from unnest(array['queued', 'building', 'published', 'off', 'refused', 'failed', 'dead']) as name) as counts,
    (select json_object_agg(name, (select count(*) from rebuilds where state = name))
     from unnest(array['queued', 'building', 'refused', 'failed', 'dead']) as name) as rebuild_counts,
    (select json_build_object('night', (select count(*) from builds where failing),
      'rebuild', (select count(*) from rebuilds where failing))) as failing,
    (select max(completed_on) from builds) as last_ended_at,
    coalesce((select json_agg(troubles) from troubles), '[]') as troubles,
    coalesce((select json_agg(rebuild_troubles) from rebuild_troubles), '[]') as rebuild_troubles,
    coalesce((select json_agg(slowest) from slowest), '[]') as slowest,
    (select count(*)::int from ops.job where name = $3) as dead_letters`;
