/** Reads and tidies the records of transactions that changed an account's ledger: triggers write them into schema `ops`. */
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { anyOf, countRows, db, instant, readOne } from '../database/query.ts';
import { nightJobId, rebuildJobIds } from './job-id.ts';
import { BUILD_QUEUE } from './queue-rules.ts';
import type { Instant } from '../instant.ts';

/** What a snapshot was built from, and how. */
export interface SnapshotOrigin {
  readonly account_id: bigint;
  readonly snapshot_id: string;
  readonly night: string;
  /** PostgreSQL's text form of the database snapshot that the build read (`pg_current_snapshot()`). */
  readonly pg_snapshot: string;
  readonly generated_at: Instant;
  /** The digest of the program's version and of the settings that change what is published. */
  readonly terms: string;
}

/**
 * True if a build of this queue, or a noted one, published the snapshot with the same `terms`, and the ledger has not changed since. The
 * completed job in the queue proves that this database was not restored to an earlier state, which would lack the job.
 * Transaction ids alone would prove nothing, because a restored database uses them again.
 */
export async function isStillCurrent(service: Pool, origin: SnapshotOrigin): Promise<boolean> {
  const { account_id, snapshot_id, night, terms } = origin;
  const published = db
    .selectFrom('ops.job')
    .select('id')
    .where('name', '=', BUILD_QUEUE)
    .where('id', '=', anyOf([nightJobId(account_id, night), ...rebuildJobIds(account_id)], 'uuid'))
    .where('state', '=', 'completed')
    .where(sql<boolean>`output @> ${JSON.stringify({ outcome: 'published', snapshot_id, terms })}::jsonb`);
  if ((await countRows(service, published)) === 0) return false;
  return !(await readOne(service, changedSince(origin))).changed;
}

/** A snapshot that a command published, and not the queue. */
export interface HandBuild extends Pick<SnapshotOrigin, 'account_id' | 'night' | 'snapshot_id' | 'terms'> {
  /** How long the build took. */
  readonly ms: number;
}

/**
 * Records the build as the completed job of its night, as if the queue had run it: the night is not queued again. A job that
 * a worker holds stays as it is.
 */
export async function noteHandBuild(service: Pool, build: HandBuild): Promise<void> {
  const { account_id, night, snapshot_id, terms, ms } = build;
  const done = {
    state: 'completed' as const,
    output: JSON.stringify({ outcome: 'published', snapshot_id, ms, terms }),
    started_on: sql<bigint>`now() - ${ms} * interval '1 millisecond'`,
    completed_on: sql<bigint>`now()`,
  };
  const job = {
    name: BUILD_QUEUE,
    id: nightJobId(account_id, night),
    data: JSON.stringify({ account_id: Number(account_id) }),
    singleton_key: night,
  };
  const noted = db
    .insertInto('ops.job')
    .values({ ...job, ...done })
    .onConflict((conflict) =>
      conflict.columns(['name', 'id']).doUpdateSet(done).where('ops.job.state', '<>', 'active'),
    );
  await countRows(service, noted);
}

/**
 * SQL that is true if there are changes that the snapshot does not show. A transaction that wrote before the build and
 * committed after it counts too. Records of changes are deleted after three days, so a snapshot older than a day counts as
 * changed. So does a snapshot whose moment is in the future.
 */
function changedSince({ account_id, pg_snapshot, generated_at }: SnapshotOrigin) {
  return db.selectNoFrom(
    sql<boolean>`
      now() not between ${instant(generated_at)} and ${instant(generated_at)} + interval '1 day'
      or exists (
        select from (
          select account_id, xid from ops.account_changes
          union all select account_id, xid from ops.entry_changes
          union all select account_id, xid from ops.record_changes
        ) as noted
        where account_id = ${account_id} and not pg_visible_in_snapshot(xid, ${pg_snapshot}::pg_snapshot))`.as(
      'changed',
    ),
  );
}

/**
 * Deletes records of changes once no cached figure and no snapshot of the last day can depend on them: figures are cached
 * for the day of their computation, and no write transaction stays open for two more days.
 */
export async function tidyAccountChanges(service: Pool): Promise<void> {
  for (const table of NOTED) await service.query(forget(table));
}

const NOTED = ['ops.account_changes', 'ops.entry_changes', 'ops.record_changes'];

// `skip locked` skips the rows that another worker is deleting.
const forget = (table: string): string => `
  delete from ${table}
  where (account_id, xid) in (
    select account_id, xid from ${table} where at < clock_timestamp() - interval '3 days'
    for update skip locked)`;
