/** The write horizon: lists show only changes before it, so that an incremental pull misses no change. */
import { sql } from 'kysely';
import type { ClientBase, QueryResult } from 'pg';
import { call, db, readOne } from '../database/query.ts';
import type { Instant } from '../instant.ts';

// Do not call the function on a standby, where it fails.
const HORIZON = db.selectNoFrom(
  sql<bigint | null>`case when not pg_is_in_recovery() then ${call('service.write_horizon')} end`.as(
    'horizon',
  ),
);

/**
 * The write horizon: no running transaction can still commit a row with an earlier `updated_at`.
 * A list that shows only earlier changes misses no slow writer. Null on a standby, which cannot see the writers.
 */
export async function readWriteHorizon(client: ClientBase): Promise<bigint | null> {
  return (await readOne(client, HORIZON)).horizon;
}

/** The statement of `readWriteHorizon`, without parameters: for the end of several statements in one round trip. */
export const READ_HORIZON = HORIZON.compile().sql;

/** The horizon in the answer to several statements of which `READ_HORIZON` was the last. */
export function horizonIn(answer: unknown): Instant | null {
  const results = answer as readonly QueryResult<{ readonly horizon: Instant | null }>[]; // pg's form for several statements
  return results.at(-1)?.rows[0]?.horizon ?? null;
}
