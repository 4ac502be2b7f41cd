-- The all-time figures of a portfolio are sums of initiatives. A server keeps those sums, and after a change it reads again
-- only the initiatives whose entries changed. So changes of entries are noted by initiative, old and new. Every other change
-- stays in `ops.account_changes`, and so does a statement that touches many initiatives: it counts for the whole account.
create table ops.entry_changes (
  account_id bigint not null references ledger.accounts (id) on delete cascade deferrable,
  -- No reference: the initiative may be deleted with its entries.
  initiative_id bigint not null,
  xid xid8 not null default pg_current_xact_id(),
  at timestamptz not null default clock_timestamp(),
  primary key (account_id, xid, initiative_id)
);
create index entry_changes_at on ops.entry_changes (at);
grant select, insert, update, delete on ops.entry_changes to cf_service;
grant select on ops.entry_changes to cf_backup;

-- If a whole account is deleted, its entries are deleted after it, and nothing is noted.
create function service.note_entries_of(accounts bigint[], initiatives bigint[]) returns void
language sql security definer set search_path = pg_catalog, pg_temp
as $$
  with touched as materialized (
    select t.account_id, t.initiative_id from unnest(accounts, initiatives) as t (account_id, initiative_id)
    where exists (select from ledger.accounts a where a.id = t.account_id)
  ), many as (
    select account_id from touched group by account_id having count(*) > 100
  ), whole as (
    insert into ops.account_changes (account_id) select account_id from many on conflict do nothing
  )
  insert into ops.entry_changes (account_id, initiative_id)
    select account_id, initiative_id from touched where account_id not in (select account_id from many)
    on conflict do nothing
$$;

create function service.note_entries() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform service.note_entries_of(array_agg(t.account_id), array_agg(t.initiative_id))
    from (select distinct account_id, initiative_id from changed) as t;
  return null;
end $$;

-- An entry that is moved changes two initiatives.
create function service.note_updated_entries() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform service.note_entries_of(array_agg(t.account_id), array_agg(t.initiative_id))
    from (select account_id, initiative_id from changed union select account_id, initiative_id from replaced) as t;
  return null;
end $$;

do $$
declare
  target text;
begin
  foreach target in array array['cost_entries', 'value_entries'] loop
    execute format('drop trigger note_insert on ledger.%I', target);
    execute format('drop trigger note_update on ledger.%I', target);
    execute format('drop trigger note_delete on ledger.%I', target);
    execute format('create trigger note_insert after insert on ledger.%I referencing new table as changed
      for each statement execute function service.note_entries()', target);
    execute format('create trigger note_update after update on ledger.%I referencing old table as replaced new table as changed
      for each statement execute function service.note_updated_entries()', target);
    execute format('create trigger note_delete after delete on ledger.%I referencing old table as changed
      for each statement execute function service.note_entries()', target);
  end loop;
end $$;

-- The initiatives whose entries changed since `seen`; null if anything else of the account changed, too.
create function service.changed_initiatives(account bigint, seen text) returns text[]
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select array(
    select distinct e.initiative_id::text
    from ops.entry_changes e, (select split_part(seen, '/', 2)::pg_snapshot as mark) saw
    where e.account_id = account and e.xid >= pg_snapshot_xmin(saw.mark) and not pg_visible_in_snapshot(e.xid, saw.mark))
  where split_part(seen, '/', 1) = service.seen_ledger() and not exists (
    select from ops.account_changes c, (select split_part(seen, '/', 2)::pg_snapshot as mark) saw
    where c.account_id = account and c.xid >= pg_snapshot_xmin(saw.mark) and not pg_visible_in_snapshot(c.xid, saw.mark))
$$;

create or replace function service.changed_since(account bigint, seen text) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$ select coalesce(service.changed_initiatives(account, seen) <> '{}', true) $$;

revoke execute on function service.note_entries_of(bigint[], bigint[]), service.note_entries(),
  service.note_updated_entries(), service.changed_initiatives(bigint, text) from public;
grant execute on function service.changed_initiatives(bigint, text) to cf_reader;
