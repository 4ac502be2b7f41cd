-- The state that servers share: rate limits, changes that make a cached figure stale, seen log heads, and ended sessions.

-- The points that each caller has spent, so that several servers enforce one limit. No row is needed for much longer than a
-- minute. Unlogged: it writes no write-ahead log and is empty after a crash, which resets all limits once.
create unlogged table ops.rate_limits (
  -- The number of the minute since 1970, by the server's clock and shifted by the subject, so that windows do not all begin
  -- at the same time.
  window_number bigint not null,
  -- `token:` and an id, or `address:` and an address or its network.
  subject text not null,
  points bigint not null check (points > 0),
  primary key (window_number, subject)
);
grant select, insert, update, delete on ops.rate_limits to cf_service;
grant select on ops.rate_limits to cf_backup;

-- The transactions that changed the entries behind an account's figures: costs, approved value, initiatives. A server that
-- cached a figure asks here whether it is still current, instead of adding up all entries again. Times would not do: a row
-- is stamped before its transaction commits, and a deleted row has no time.
create table ops.account_changes (
  account_id bigint not null references ledger.accounts (id) on delete cascade deferrable,
  xid xid8 not null default pg_current_xact_id(),
  at timestamptz not null default clock_timestamp(),
  primary key (account_id, xid)
);
create index account_changes_at on ops.account_changes (at);

-- One row per transaction and account, so that no writer waits for another. If a whole account is deleted, its entries are
-- deleted after it, and nothing is noted.
create function service.note_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into ops.account_changes (account_id)
    select distinct c.account_id from changed c where exists (select from ledger.accounts a where a.id = c.account_id)
    on conflict do nothing;
  return null;
end $$;

do $$
declare
  target text;
begin
  foreach target in array array['cost_entries', 'value_entries', 'initiatives'] loop
    execute format('create trigger note_insert after insert on ledger.%I referencing new table as changed
      for each statement execute function service.note_change()', target);
    execute format('create trigger note_update after update on ledger.%I referencing new table as changed
      for each statement execute function service.note_change()', target);
    execute format('create trigger note_delete after delete on ledger.%I referencing old table as changed
      for each statement execute function service.note_change()', target);
  end loop;
end $$;

-- A truncate names no account, so all accounts are noted as changed.
create function service.note_change_of_all() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into ops.account_changes (account_id) select id from ledger.accounts on conflict do nothing;
  return null;
end $$;
create trigger note_truncate after truncate on ledger.cost_entries
  for each statement execute function service.note_change_of_all();
create trigger note_truncate after truncate on ledger.value_entries
  for each statement execute function service.note_change_of_all();

-- What the caller's transaction sees: which ledger, and which of its transactions. A ledger that was restored, or that another
-- machine took over, may reuse transaction ids. So it counts as another ledger.
create function service.seen_ledger() returns text
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select format('%s %s', extract(epoch from pg_postmaster_start_time()), 'ops.account_changes'::regclass::oid)
$$;
create function service.seen() returns text
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$ select format('%s/%s', service.seen_ledger(), pg_current_snapshot()) $$;

-- True if a change of the account is committed by now that the transaction of `seen` did not see.
create function service.changed_since(account bigint, seen text) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select split_part(seen, '/', 1) <> service.seen_ledger() or exists (
    select from ops.account_changes c, (select split_part(seen, '/', 2)::pg_snapshot as mark) saw
    where c.account_id = account and c.xid >= pg_snapshot_xmin(saw.mark) and not pg_visible_in_snapshot(c.xid, saw.mark))
$$;

revoke execute on function service.note_change(), service.note_change_of_all(), service.seen_ledger(), service.seen(),
  service.changed_since(bigint, text) from public;
grant execute on function service.seen(), service.changed_since(bigint, text) to cf_reader;
grant select, insert, update, delete on ops.account_changes to cf_service;
grant select on ops.account_changes to cf_backup;

-- The last log entry that a server or build has seen and checked, per account and object store. A store that was emptied or
-- restored shows an older log. It is refused until a person accepts it, which begins a new generation.
create table ops.seen_heads (
  account_id bigint not null references ledger.accounts (id) on delete cascade deferrable,
  -- The store, as OBJECT_STORE names it.
  store text not null,
  generation bigint not null check (generation >= 0),
  -- The number of the entry; 0 after an empty log was accepted.
  seq bigint not null check (seq >= 0),
  entry_sha256 text not null check (entry_sha256 ~ '^[0-9a-f]{64}$'),
  seen_at timestamptz not null default clock_timestamp(),
  primary key (account_id, store)
);
grant select, insert, update, delete on ops.seen_heads to cf_service;
grant select on ops.seen_heads to cf_backup;

-- Sessions of the pages that were signed out before their end. Every server refuses them, whichever server the sign-out
-- reached. A row is the digest of the session id in the cookie, so it opens nothing. Logged: a crash must not revive a session.
create table ops.ended_sessions (
  session_sha256 bytea primary key check (octet_length(session_sha256) = 32),
  -- The end of the session without a sign-out. After it the row is not needed and is removed.
  expires_at timestamptz not null
);
create index ended_sessions_expires_at on ops.ended_sessions (expires_at);
grant select, insert, update, delete on ops.ended_sessions to cf_service;
grant select on ops.ended_sessions to cf_backup;
