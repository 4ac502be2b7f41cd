/** The nights of one account, read from the queue. */
import type { Pool } from 'pg';
import { type Holding, readStatement, type RowOf } from '../database/columns.ts';
import { nightJobId } from './job-id.ts';
import { BUILD_STATE, type BuildState } from './night-status.ts';
import { BUILD_QUEUE } from './queue-rules.ts';

const NIGHT_COLUMNS = {
  night: 'text',
  state: 'text' as Holding<'text', BuildState>,
  tries: 'int4',
  code: 'text?',
  message: 'text?',
  cents_off: 'float8?',
  os_code: 'text?',
  step: 'text?',
} as const;

/**
 * A night's build. `code` and `message` are those of the last failed attempt, null without one; `unforeseen` is the code of
 * an error outside the catalogue. `cents_off` is the difference of the first finding; null if it is not about an amount, or
 * was not stored. `os_code` is the code of the operating system, such as ENOSPC; null if the error has none.
 * `step` is the step that the store refused, such as `create`; null of another error.
 */
export type AccountNight = RowOf<typeof NIGHT_COLUMNS>;

/** The builds queued for the account on these nights, newest first. */
export async function readAccountNights(
  service: Pool,
  account_id: bigint,
  nights: readonly string[],
): Promise<readonly AccountNight[]> {
  // Read by job id, which is the key of the table: fast for any number of accounts.
  const ids = nights.map((night) => nightJobId(account_id, night));
  const statement = { name: 'ops.job', text: NIGHTS, values: [BUILD_QUEUE, ids], columns: NIGHT_COLUMNS };
  return await readStatement(service, statement);
}

const NIGHTS = `
  with builds as (
    select singleton_key as night, retry_count + 1 as tries, output, ${BUILD_STATE} as state
    from ops.job where name = $1 and id = any($2::uuid[]) and state <> 'cancelled'
  )
  select night, state, tries,
    case when state in ('refused', 'failed', 'dead') then coalesce(output ->> 'code', 'unforeseen') end as code,
    case when state in ('refused', 'failed', 'dead') then output ->> 'message' end as message,
    case when state in ('refused', 'failed', 'dead') and jsonb_typeof(output #> '{data,cents_off}') = 'number'
      then (output #>> '{data,cents_off}')::float8 end as cents_off,
    case when state in ('refused', 'failed', 'dead') then output #>> '{data,code}' end as os_code,
    case when state in ('refused', 'failed', 'dead') then output #>> '{data,step}' end as step
  from builds order by night desc`;
