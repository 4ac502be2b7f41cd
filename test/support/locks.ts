/** Waiting, in tests, for another session to stand before a lock. */
import type { Client } from 'pg';

/** Returns once some session waits for a lock on `table`. Each look is a round trip, so it needs no pause. */
export async function untilWaiting(admin: Client, table: string): Promise<void> {
  for (;;) {
    const { rowCount } = await admin.query(
      'select from pg_locks where relation = $1::regclass and not granted',
      [table],
    );
    if (rowCount !== 0) return;
  }
}
