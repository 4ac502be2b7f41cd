-- A statement of many costs names few vendors, so each name is looked up once and not for every row.
create or replace function service.confirm_vendors() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  -- Held until the commit, and compared afterwards: a merge that was committed meanwhile is seen.
  perform (
      select true from ledger.vendors v
      where v.account_id = named.account_id and v.name_key = service.name_key(named.vendor_name) for share)
    from (select distinct n.account_id, n.vendor_name from new_rows n where n.vendor_id is not null) as named;
  if exists (
    select from (select distinct n.account_id, n.vendor_name, n.vendor_id from new_rows n where n.vendor_id is not null) as given
    where given.vendor_id is distinct from (
      select coalesce(v.merged_into_id, v.id) from ledger.vendors v
      where v.account_id = given.account_id and v.name_key = service.name_key(given.vendor_name)))
  then
    update ledger.cost_entries c
      set vendor_id = null, vendor_name = c.vendor_name
      from new_rows n
      where c.account_id = n.account_id and c.id = n.id
        and n.vendor_id is distinct from (
          select coalesce(v.merged_into_id, v.id) from ledger.vendors v
          where v.account_id = n.account_id and v.name_key = service.name_key(n.vendor_name));
  end if;
  return null;
end $$;
