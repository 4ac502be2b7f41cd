-- Sessions of the pages that were signed out before their end. A server refuses them, wherever the sign-out arrived. A row is
-- the digest of what a session's cookie holds: it opens nothing. Logged, because a crash must not bring a session back.
create table ops.ended_sessions (
  session_sha256 bytea primary key check (octet_length(session_sha256) = 32),
  -- When the session would have ended by itself: the row is of no use after that and is removed.
  expires_at timestamptz not null
);
create index ended_sessions_expires_at on ops.ended_sessions (expires_at);
grant select, insert, update, delete on ops.ended_sessions to cf_service;
grant select on ops.ended_sessions to cf_backup;
