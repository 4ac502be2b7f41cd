-- `updated_at` moves whenever anything served of a row changes, also when it stands in another table. A touch is an
-- update that changes nothing: the stamp moves, and the guards of locked months let it through.

do $$
declare
  target record;
begin
  for target in
    select c.oid::regclass as relation
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'updated_at' and not a.attisdropped
    where c.relnamespace = 'ledger'::regnamespace and c.relkind = 'r'
  loop
    -- Named to fire after every other: the stamp is the last word before a row is written.
    execute format('create trigger zz_stamp before insert or update on %s for each row execute function service.stamp()', target.relation);
  end loop;
  for target in
    select c.oid::regclass as relation
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
    join pg_attribute k on k.attrelid = c.oid and k.attname = 'id'
    where c.relnamespace in ('ledger'::regnamespace, 'vault'::regnamespace) and c.relkind = 'r'
  loop
    execute format(
      'create trigger keep_key before update of account_id, id on %s for each row
        when (new.account_id <> old.account_id or new.id <> old.id) execute function service.refuse_change()',
      target.relation);
  end loop;
end $$;

-- An approval points its value entry at the latest `approved` decision.
create function service.point_to_approval() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform service.share_gate(accounts.id) from (select distinct account_id as id from new_rows) as accounts;
  update ledger.value_entries v
    set approval_decision_id = latest.id
    from (
      select distinct on (d.account_id, d.subject_id) d.account_id, d.subject_id, d.id
      from ledger.approval_decisions d
      where d.subject_kind = 'value_entry' and d.decision = 'approved'
        and (d.account_id, d.subject_id) in (
          select n.account_id, n.subject_id from new_rows n
          where n.subject_kind = 'value_entry' and n.decision = 'approved')
      order by d.account_id, d.subject_id, d.decided_at desc, d.id desc
    ) as latest
    where v.account_id = latest.account_id and v.id = latest.subject_id
      and v.approval_decision_id is distinct from latest.id;
  return null;
end $$;
create trigger point_to_approval after insert on ledger.approval_decisions referencing new table as new_rows
  for each statement execute function service.point_to_approval();

-- The other order of writing, an entry that arrives after its decision; and nobody points it elsewhere by hand.
create function service.find_approval() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  new.approval_decision_id := (
    select d.id from ledger.approval_decisions d
    where d.account_id = new.account_id and d.subject_kind = 'value_entry' and d.subject_id = new.id and d.decision = 'approved'
    order by d.decided_at desc, d.id desc limit 1);
  return new;
end $$;
create trigger find_approval before insert or update of approval_decision_id on ledger.value_entries
  for each row execute function service.find_approval();

create function service.touch_value_of_initiative() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform service.share_gate(new.account_id);
  update ledger.value_entries set updated_at = updated_at
    where account_id = new.account_id and initiative_id = new.id;
  return null;
end $$;
-- Going live decides whether a baseline was measured before it.
create trigger touch_value after update of went_live_at on ledger.initiatives
  for each row when (new.went_live_at is distinct from old.went_live_at) execute function service.touch_value_of_initiative();

-- A sample mark hides or shows everything that hangs on the initiative.
create function service.touch_all_of_initiative() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  update ledger.value_entries set updated_at = updated_at where account_id = new.account_id and initiative_id = new.id;
  update ledger.cost_entries set updated_at = updated_at where account_id = new.account_id and initiative_id = new.id;
  update ledger.observations set updated_at = updated_at where account_id = new.account_id and initiative_id = new.id;
  return null;
end $$;
create trigger touch_all after update of is_sample on ledger.initiatives
  for each row when (new.is_sample <> old.is_sample) execute function service.touch_all_of_initiative();

-- People are served by name beside what they own, decided and connected.
create function service.touch_named() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  update ledger.initiatives set updated_at = updated_at where owner_id = new.id;
  update ledger.portfolio_decisions set updated_at = updated_at where decided_by_id = new.id;
  update ledger.connections set updated_at = updated_at where connected_by_id = new.id;
  return null;
end $$;
create trigger touch_named after update of name on ledger.users
  for each row when (new.name is distinct from old.name) execute function service.touch_named();

-- Provenance names the platform that an entry was synced from.
create function service.touch_platform() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform service.share_gate(accounts.id) from (
    select distinct account_id as id from ledger.connections where platform_key = new.key order by 1) as accounts;
  update ledger.value_entries v set updated_at = v.updated_at
    from ledger.connections c
    where c.platform_key = new.key and v.account_id = c.account_id and v.connection_id = c.id;
  return null;
end $$;
create trigger touch_platform after update of name on ledger.platforms
  for each row when (new.name <> old.name) execute function service.touch_platform();

create function service.touch_synced_value() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform service.share_gate(new.account_id);
  update ledger.value_entries set updated_at = updated_at
    where account_id = new.account_id and connection_id = new.id;
  return null;
end $$;
create trigger touch_synced_value after update of platform_key on ledger.connections
  for each row when (new.platform_key <> old.platform_key) execute function service.touch_synced_value();

create function service.touch_observations() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  update ledger.observations set updated_at = updated_at where account_id = new.account_id and metric_id = new.id;
  return null;
end $$;
create trigger touch_observations after update of metric_key on ledger.metrics
  for each row when (new.metric_key <> old.metric_key) execute function service.touch_observations();

-- The categories that a connection is primary for, and those its platform can serve, are served with it.
create function service.touch_connection() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_op <> 'INSERT' then
    update ledger.connections set updated_at = updated_at where account_id = old.account_id and id = old.connection_id;
  end if;
  if tg_op <> 'DELETE' then
    update ledger.connections set updated_at = updated_at where account_id = new.account_id and id = new.connection_id;
  end if;
  return null;
end $$;
create trigger touch_connection after insert or update or delete on ledger.connection_primary_categories
  for each row execute function service.touch_connection();

create function service.touch_connections_of_platform() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  update ledger.connections set updated_at = updated_at
    where platform_key in (
      case when tg_op <> 'INSERT' then old.platform_key end, case when tg_op <> 'DELETE' then new.platform_key end);
  return null;
end $$;
create trigger touch_connections after insert or update or delete on ledger.platform_metric_categories
  for each row execute function service.touch_connections_of_platform();
