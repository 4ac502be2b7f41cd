/** The write horizon of a list (see `write-horizon.ts`); lists are read only from a primary. */
import type { ClientBase } from 'pg';
import { CrossfootError } from '../../errors.ts';
import { readWriteHorizon } from '../write-horizon.ts';

/** The write horizon for a list; throws on a standby. Call it in a statement of its own, before reading the rows. */
export async function readHorizon(client: ClientBase): Promise<bigint> {
  return horizonForLists(await readWriteHorizon(client));
}

/** Returns a horizon that was read before; throws for null, which a standby gives. */
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
