-- Which transactions changed what the figures of an account are made of: costs, approved value, initiatives. A server
-- that worked a figure out at one moment asks here whether it still stands, instead of adding up all entries again.
-- Times would not do: a row is stamped before its transaction commits, and a deleted one has no time at all.
create table ops.account_changes (
  account_id bigint not null references ledger.accounts (id) on delete cascade deferrable,
  xid xid8 not null default pg_current_xact_id(),
  at timestamptz not null default clock_timestamp(),
  primary key (account_id, xid)
);
create index account_changes_at on ops.account_changes (at);

-- A row of its own for each transaction and account, so that no writer waits for another. Of an account that is being
-- deleted whole, entries go after it: there is nothing left to note.
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

-- Who removes all rows of a table says of no account that it was changed, so all were.
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

-- What the caller's transaction sees: of which ledger, and what of it. A ledger that was restored beneath a server, or
-- that another machine took over, may count its transactions from where an older one stood, so it is another ledger.
create function service.seen_ledger() returns text
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select format('%s %s', extract(epoch from pg_postmaster_start_time()), 'ops.account_changes'::regclass::oid)
$$;
create function service.seen() returns text
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$ select format('%s/%s', service.seen_ledger(), pg_current_snapshot()) $$;

-- True when something of the account is committed by now that who was given `seen` did not see.
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
