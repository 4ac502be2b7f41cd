-- `updated_at` changes whenever a served part of a row changes, also a part that comes from another table. A touch is an
-- update that changes nothing else: it moves the stamp, and the guards of locked months allow it.

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
    -- The name makes it fire after all others: the row is stamped last.
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

-- A written approval sets the latest `approved` decision of its value entry.
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

-- An entry that is written after its decision finds it here. So nobody can set another decision by hand.
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
-- The live date decides whether a baseline was measured before it.
create trigger touch_value after update of went_live_at on ledger.initiatives
  for each row when (new.went_live_at is distinct from old.went_live_at) execute function service.touch_value_of_initiative();

-- The sample mark hides or shows all rows of the initiative, its decisions too.
create function service.touch_all_of_initiative() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  update ledger.value_entries set updated_at = updated_at where account_id = new.account_id and initiative_id = new.id;
  update ledger.cost_entries set updated_at = updated_at where account_id = new.account_id and initiative_id = new.id;
  update ledger.observations set updated_at = updated_at where account_id = new.account_id and initiative_id = new.id;
  update ledger.portfolio_decisions set updated_at = updated_at where account_id = new.account_id and initiative_id = new.id;
  return null;
end $$;
create trigger touch_all after update of is_sample on ledger.initiatives
  for each row when (new.is_sample <> old.is_sample) execute function service.touch_all_of_initiative();

-- Initiatives, decisions and connections are served with a person's name.
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

-- An entry is served with the name of the platform that it was synced from.
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

-- A connection is served with its primary categories and with the categories of its platform.
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
