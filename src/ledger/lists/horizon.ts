import type { ClientBase } from 'pg';
import { CrossfootError } from '../../errors.ts';
import { readWriteHorizon } from '../write-horizon.ts';

/** The write horizon for a list, which on a standby is refused. Read in a statement of its own, before the rows. */
export async function readHorizon(client: ClientBase): Promise<bigint> {
  const horizon = await readWriteHorizon(client);
  if (horizon !== null) return horizon;
  throw new CrossfootError('ledger_is_standby', 'Lists are read from the primary, and this is a standby.', {
    hint: 'Point LEDGER_URL of the server at the primary; a replica serves builds only.',
  });
}
