/**
 * Reads what would delay a build in the database now: locks on its tables. Also reads which transactions hold back vacuum.
 */
import { sql } from 'kysely';
import type { ClientBase } from 'pg';
import { call, db, readOne } from '../../database/query.ts';

export interface BuildCost {
  /** Tables that another session locks exclusively, or waits to lock: a build would wait for that session. */
  readonly locked_tables: readonly string[];
  /** Age of the oldest open transaction that writes, in seconds; null on a standby, which cannot know it. */
  readonly oldest_writer_seconds: number | null;
  /** The number of transactions since the oldest running one began: vacuum must keep the rows that they deleted. */
  readonly transactions_kept: number;
}

/** Reads the locks on these tables, `schema.table`, and the ages of running transactions. */
export async function readBuildCost(client: ClientBase, tables: readonly string[]): Promise<BuildCost> {
  const locked = sql<string[]>`array(
    select distinct relation::regclass::text from pg_locks
    where mode = 'AccessExclusiveLock' and relation = any (${tables}::regclass[])
      and database = (select oid from pg_database where datname = current_database())
    order by 1)`;
  const horizon = call('service.write_horizon');
  const seconds = sql<number | null>`case when pg_is_in_recovery() then null
    else greatest(0, extract(epoch from clock_timestamp() - ${horizon}))::float8 end`;
  const kept = sql<number>`(
    select (pg_snapshot_xmax(visible)::text::numeric - pg_snapshot_xmin(visible)::text::numeric)::float8
    from pg_current_snapshot() as visible)`;
  return await readOne(
    client,
    db.selectNoFrom([
      locked.as('locked_tables'),
      seconds.as('oldest_writer_seconds'),
      kept.as('transactions_kept'),
    ]),
  );
}
