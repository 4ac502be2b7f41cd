/** The write horizon of a list (see `write-horizon.ts`); lists are read only from a primary. */
import { CrossfootError } from '../../errors.ts';
import type { Instant } from '../../instant.ts';

/** Returns a horizon that was read before the rows; throws for null, which a standby gives. */
export function horizonForLists(horizon: Instant | null): Instant {
  if (horizon !== null) return horizon;
  throw new CrossfootError(
    'ledger_is_standby',
    'The database is a standby, but lists are read only from a primary.',
    {
      hint: 'Set LEDGER_URL of the server to the primary. A standby can be used for builds only.',
    },
  );
}
