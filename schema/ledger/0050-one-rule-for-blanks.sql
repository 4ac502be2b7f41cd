-- One rule for what is blank: the white space that JavaScript's `trim` cuts off, by which `load` and the pages go. `btrim` cuts
-- off the space of ASCII alone: a vendor named by a no-break space passed, went out in FOCUS, and our own import refused it.
create function service.trimmed(content text) returns text
language sql immutable strict parallel safe
return btrim(content, E' \t\n\u000b\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff');
revoke execute on function service.trimmed(text) from public;
grant execute on function service.trimmed(text) to cf_reader, cf_writer, cf_backup;

-- Rows of earlier versions: a blank text that may be empty is empty from now on. No figure changes, so the guards of locked
-- months are not asked, and `updated_at` stays. A row with a blank text that may not be empty stays until a person changes it.
do $$
declare
  rule record;
  found boolean;
begin
  for rule in
    select c.oid, c.conname as name, c.conrelid::regclass as target, a.attname as cell, not a.attnotnull as may_be_empty
    from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'c' and cardinality(c.conkey) = 1
      and pg_get_constraintdef(c.oid) in (
        format('CHECK ((btrim(%I) <> ''''::text))', a.attname), format('CHECK ((service.name_key(%I) <> ''''::text))', a.attname))
    union all
    select null, 'cost_entries_vendor_name', 'ledger.cost_entries'::regclass, 'vendor_name', true
    order by 3, 2
  loop
    execute format('select exists (select from %s where service.trimmed(%I) = '''')', rule.target, rule.cell) into found;
    if found and rule.may_be_empty then
      execute format('alter table %s disable trigger user', rule.target);
      execute format('update %s set %s where service.trimmed(%I) = ''''', rule.target,
        case
          when rule.cell in ('load_source', 'load_ref') then 'load_source = null, load_ref = null'
          when rule.cell = 'vendor_name' then 'vendor_name = null, vendor_id = null'
          else format('%I = null', rule.cell)
        end, rule.cell);
      execute format('alter table %s enable trigger user', rule.target);
    end if;
    continue when rule.oid is null;
    execute format('alter table %s drop constraint %I', rule.target, rule.name);
    execute format('alter table %s add constraint %I check (service.trimmed(%I) <> '''') %s', rule.target, rule.name, rule.cell,
      case when found and not rule.may_be_empty then 'not valid' else '' end);
  end loop;
end $$;

-- A blank name names no vendor, and is no name.
create or replace function service.resolve_vendor() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  key text := service.name_key(new.vendor_name);
begin
  if coalesce(service.trimmed(new.vendor_name), '') = '' then
    new.vendor_name := null;
    new.vendor_id := null;
    return new;
  end if;
  select coalesce(v.merged_into_id, v.id) into new.vendor_id
    from ledger.vendors v
    where v.account_id = new.account_id and v.name_key = key
    for share;
  if not found then
    insert into ledger.vendors (account_id, name) values (new.account_id, btrim(new.vendor_name))
      on conflict (account_id, name_key) do nothing;
    select coalesce(v.merged_into_id, v.id) into strict new.vendor_id
      from ledger.vendors v
      where v.account_id = new.account_id and v.name_key = key
      for share;
  end if;
  return new;
end $$;
