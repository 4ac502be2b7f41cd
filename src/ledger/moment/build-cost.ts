/** What a build would cost the ledger now: which locks would hold it up, and what already holds back vacuum. */
import type { ClientBase } from 'pg';

export interface BuildCost {
  /** Tables that somebody rewrites or waits to rewrite: a build would wait behind that. */
  readonly locked_tables: readonly string[];
  /** For how long the oldest transaction that writes has been open; null on a standby, which cannot know. */
  readonly oldest_writer_seconds: number | null;
  /** How many transactions began since the oldest that still runs: what they removed, vacuum must keep. */
  readonly transactions_kept: number;
}

/** Looks at the locks on these tables, `schema.table`, and at the horizons of this moment. */
export async function readBuildCost(client: ClientBase, tables: readonly string[]): Promise<BuildCost> {
  const { rows } = await client.query<{
    locked: string[];
    oldest_writer_seconds: number | null;
    transactions_kept: number;
  }>(
    `select
       array(
         select distinct relation::regclass::text from pg_locks
         where mode = 'AccessExclusiveLock' and relation = any ($1::regclass[])
           and database = (select oid from pg_database where datname = current_database())
         order by 1
       ) as locked,
       case when pg_is_in_recovery() then null
         else greatest(0, extract(epoch from clock_timestamp() - service.write_horizon()))::float8
       end as oldest_writer_seconds,
       (pg_snapshot_xmax(visible)::text::numeric - pg_snapshot_xmin(visible)::text::numeric)::float8
         as transactions_kept
     from pg_current_snapshot() as visible`,
    [tables],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('a select from a function of one row returned none');
  const { locked, ...horizons } = row;
  return { locked_tables: locked, ...horizons };
}
