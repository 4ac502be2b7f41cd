import type { ClientBase } from 'pg';
import { CrossfootError } from '../../errors.ts';

/**
 * The moment before which no running writer can still stamp a row: a list that serves only what was changed earlier
 * misses no slow writer. Read in a statement of its own, before the rows. Refused on a standby, which cannot see the
 * writers.
 */
export async function readHorizon(client: ClientBase): Promise<bigint> {
  const { rows } = await client.query<{ horizon: bigint | null }>(
    'select case when not pg_is_in_recovery() then service.write_horizon() end as horizon',
  );
  const horizon = rows[0]?.horizon ?? null;
  if (horizon !== null) return horizon;
  throw new CrossfootError('ledger_is_standby', 'Lists are read from the primary, and this is a standby.', {
    hint: 'Point LEDGER_URL of the server at the primary; a replica serves builds only.',
  });
}
