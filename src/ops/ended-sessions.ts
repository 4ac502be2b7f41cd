/** Records of web sessions that were signed out before they expired, in `ops.ended_sessions`, for all servers. */
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { countRows, db, instant } from '../database/query.ts';
import type { Instant } from '../instant.ts';

/** Records that the session has ended; `expires_at` is when it would have expired. */
export async function endSession(service: Pool, sha256: Uint8Array, expires_at: Instant): Promise<void> {
  const ended = { session_sha256: Buffer.from(sha256), expires_at: instant(expires_at) };
  const kept = db.insertInto('ops.ended_sessions').values(ended);
  await countRows(
    service,
    kept.onConflict((conflict) => conflict.doNothing()),
  );
}

/** Whether the session was signed out. */
export async function isSessionEnded(service: Pool, sha256: Uint8Array): Promise<boolean> {
  const ended = db.selectFrom('ops.ended_sessions').select('session_sha256');
  return (await countRows(service, ended.where('session_sha256', '=', Buffer.from(sha256)))) === 1;
}

/** Deletes the records of expired sessions. */
export async function forgetEndedSessions(service: Pool): Promise<void> {
  // Servers compare `expires_at` with their own clock, which may be behind the database's. So wait one hour more.
  const over = sql<bigint>`clock_timestamp() - interval '1 hour'`;
  await countRows(service, db.deleteFrom('ops.ended_sessions').where('expires_at', '<', over));
}
