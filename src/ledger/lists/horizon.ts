import type { ClientBase } from 'pg';
import { CrossfootError } from '../../errors.ts';
import { readWriteHorizon } from '../write-horizon.ts';

/** The write horizon for a list; throws on a standby. Call it in a statement of its own, before reading the rows. */
export async function readHorizon(client: ClientBase): Promise<bigint> {
  return horizonForLists(await readWriteHorizon(client));
}

/** A horizon that was read already; throws on a standby, which has none. */
export function horizonForLists(horizon: bigint | null): bigint {
  if (horizon !== null) return horizon;
  throw new CrossfootError(
    'ledger_is_standby',
    'The database is a standby, but lists are read only from a primary.',
    {
      hint: 'Set LEDGER_URL of the server to the primary. A standby can be used for builds only.',
    },
  );
}
