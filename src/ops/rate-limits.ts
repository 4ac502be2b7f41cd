/** What callers have spent of their requests, added up over all servers in `ops.rate_limits`. */
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { countRows, db, readRows } from '../database/query.ts';

/** Points that a caller spent in one window. */
export interface Spent {
  readonly window_number: number;
  readonly subject: string;
  readonly points: number;
}

/** Adds points and gives the new totals, those of the other servers included. */
export async function addPoints(service: Pool, spent: readonly Spent[]): Promise<readonly Spent[]> {
  const added = sql<{ window_number: bigint; subject: string; points: bigint }>`unnest(
    ${spent.map(({ window_number }) => window_number)}::bigint[],
    ${spent.map(({ subject }) => subject)}::text[],
    ${spent.map(({ points }) => points)}::bigint[])`;
  const totals = db
    .insertInto('ops.rate_limits')
    .columns(['window_number', 'subject', 'points'])
    .expression((eb) =>
      eb
        .selectFrom(added.as<'spent'>(sql`spent (window_number, subject, points)`))
        .select(['window_number', 'subject', 'points'])
        // In the order of the key: two servers that add to the same rows wait for each other and never in a circle.
        .orderBy('window_number')
        .orderBy('subject'),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['window_number', 'subject'])
        .doUpdateSet((eb) => ({ points: eb('ops.rate_limits.points', '+', eb.ref('excluded.points')) })),
    )
    .returning(['window_number', 'subject', 'points']);
  const rows = await readRows(service, totals);
  return rows.map(({ window_number, subject, points }) => ({
    window_number: Number(window_number),
    subject,
    points: Number(points),
  }));
}

/** Removes the windows before this one. */
export async function forgetPoints(service: Pool, window_number: number): Promise<void> {
  // Rows that another server is removing are its business.
  const before = db
    .deleteFrom('ops.rate_limits')
    .where((eb) =>
      eb(
        eb.refTuple('window_number', 'subject'),
        'in',
        eb
          .selectFrom('ops.rate_limits')
          .select(['window_number', 'subject'])
          .where('window_number', '<', BigInt(window_number))
          .forUpdate()
          .skipLocked()
          .$asTuple('window_number', 'subject'),
      ),
    );
  await countRows(service, before);
}
