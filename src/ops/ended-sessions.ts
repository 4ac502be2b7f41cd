/** Sessions that were signed out before their end, as `ops.ended_sessions` keeps them for all servers. */
import type { Pool } from 'pg';

/** Keeps that the session is over; `expires_at`, in microseconds since 1970, is when it would have ended by itself. */
export async function endSession(service: Pool, sha256: Uint8Array, expires_at: bigint): Promise<void> {
  await service.query(END, [Buffer.from(sha256), expires_at]);
}

/** True for a session that was signed out. */
export async function isSessionEnded(service: Pool, sha256: Uint8Array): Promise<boolean> {
  return (await service.query(ENDED, [Buffer.from(sha256)])).rowCount === 1;
}

/** Removes sessions that are over by themselves. */
export async function forgetEndedSessions(service: Pool): Promise<void> {
  await service.query(FORGET);
}

const END = `
  insert into ops.ended_sessions (session_sha256, expires_at)
  values ($1, timestamptz '1970-01-01 00:00Z' + $2::bigint * interval '1 microsecond')
  on conflict do nothing`;

const ENDED = 'select from ops.ended_sessions where session_sha256 = $1';

// A session ends by a server's clock, which may be behind the database's: an hour later it is over by both.
const FORGET = `delete from ops.ended_sessions where expires_at < clock_timestamp() - interval '1 hour'`;
