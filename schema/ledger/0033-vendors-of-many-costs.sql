-- The vendors of many costs are found by one statement. A search and a lock for each row took a fifth of a load.

-- An insert may give the vendor beside its name, as `load` does. `confirm_vendors` then compares all rows of the statement with
-- the vendors. A row that gives only one of the two, and each update of the name, is still resolved by itself.
create or replace trigger resolve_vendor before insert on ledger.cost_entries
  for each row when (num_nonnulls(new.vendor_name, new.vendor_id) = 1) execute function service.resolve_vendor();
create trigger resolve_changed_vendor before update of vendor_name on ledger.cost_entries
  for each row when (num_nonnulls(new.vendor_name, new.vendor_id) > 0) execute function service.resolve_vendor();

-- Locks the vendors until the entries are committed, as `resolve_vendor` does, and compares them afterwards: a merge that was
-- committed meanwhile is seen. An entry with another vendor than its name says is resolved again. Each vendor is looked up by
-- its name: a join would keep the plan of its session's first statement, also for a thousand times as many rows.
create function service.confirm_vendors() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform (select true from ledger.vendors v where v.account_id = named.account_id and v.name_key = named.key for share)
    from (
      select distinct n.account_id, service.name_key(n.vendor_name) as key from new_rows n where n.vendor_id is not null
    ) as named;
  update ledger.cost_entries c
    set vendor_id = null, vendor_name = c.vendor_name
    from new_rows n
    where c.account_id = n.account_id and c.id = n.id
      and n.vendor_id is distinct from (
        select coalesce(v.merged_into_id, v.id) from ledger.vendors v
        where v.account_id = n.account_id and v.name_key = service.name_key(n.vendor_name));
  return null;
end $$;
revoke execute on function service.confirm_vendors() from public;
create trigger confirm_vendors after insert on ledger.cost_entries referencing new table as new_rows
  for each statement execute function service.confirm_vendors();

-- Dollars that are right already need no call: those of a row without a rate are its amount in USD, and none otherwise.
do $$
declare
  target text;
begin
  foreach target in array array['cost_entries', 'provider_bills', 'vendor_bills', 'card_charges', 'value_entries'] loop
    execute format('create or replace trigger settle_1_dollars before insert or update on ledger.%I
      for each row when (num_nonnulls(new.usd_rate, new.usd_rate_from, new.usd_rate_through) > 0
        or new.usd_amount_cents is distinct from case when new.currency = ''USD'' then new.amount_cents end)
      execute function service.settle_dollars()', target);
  end loop;
end $$;
