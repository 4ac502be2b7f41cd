import { sql } from 'kysely';
import type { ClientBase, QueryResult } from 'pg';
import { call, db, readOne } from '../database/query.ts';

// Do not call the function on a standby, where it fails.
const HORIZON = db.selectNoFrom(
  sql<bigint | null>`case when not pg_is_in_recovery() then ${call('service.write_horizon')} end`.as(
    'horizon',
  ),
);

/**
 * The moment before which no running writer can still stamp a row. A list of only earlier changes misses no slow writer.
 * Null on a standby, which cannot see the writers.
 */
export async function readWriteHorizon(client: ClientBase): Promise<bigint | null> {
  return (await readOne(client, HORIZON)).horizon;
}

/** The statement of `readWriteHorizon`, to be the last of several in one round trip. It has no parameters. */
export const READ_HORIZON = HORIZON.compile().sql;

/** The horizon in the answer to several statements of which `READ_HORIZON` was the last. */
export function horizonIn(answer: unknown): bigint | null {
  const results = answer as readonly QueryResult<{ readonly horizon: bigint | null }>[]; // pg's form for several statements
  return results.at(-1)?.rows[0]?.horizon ?? null;
}
