import { sql } from 'kysely';
import type { ClientBase } from 'pg';
import { call, db, readOne } from '../database/query.ts';

/**
 * The moment before which no running writer can still stamp a row. A list of only earlier changes misses no slow writer.
 * Null on a standby, which cannot see the writers.
 */
export async function readWriteHorizon(client: ClientBase): Promise<bigint | null> {
  // Do not call the function on a standby, where it fails.
  const horizon = sql<
    bigint | null
  >`case when not pg_is_in_recovery() then ${call('service.write_horizon')} end`;
  return (await readOne(client, db.selectNoFrom(horizon.as('horizon')))).horizon;
}
