/** Sessions that were signed out before their end, as `ops.ended_sessions` keeps them for all servers. */
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { countRows, db, instant } from '../database/query.ts';

/** Keeps that the session is over; `expires_at`, in microseconds since 1970, is when it would have ended by itself. */
export async function endSession(service: Pool, sha256: Uint8Array, expires_at: bigint): Promise<void> {
  const ended = { session_sha256: Buffer.from(sha256), expires_at: instant(expires_at) };
  const kept = db.insertInto('ops.ended_sessions').values(ended);
  await countRows(
    service,
    kept.onConflict((conflict) => conflict.doNothing()),
  );
}

/** True for a session that was signed out. */
export async function isSessionEnded(service: Pool, sha256: Uint8Array): Promise<boolean> {
  const ended = db.selectFrom('ops.ended_sessions').select('session_sha256');
  return (await countRows(service, ended.where('session_sha256', '=', Buffer.from(sha256)))) === 1;
}

/** Removes sessions that are over by themselves. */
export async function forgetEndedSessions(service: Pool): Promise<void> {
  // A session ends by a server's clock, which may be behind the database's: an hour later it is over by both.
  const over = sql<bigint>`clock_timestamp() - interval '1 hour'`;
  await countRows(service, db.deleteFrom('ops.ended_sessions').where('expires_at', '<', over));
}
