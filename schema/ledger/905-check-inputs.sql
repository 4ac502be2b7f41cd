-- The readings behind an entry exist, and a real entry never rests on a sample initiative's reading: what 100 says,
-- looked up row by row. A join of all of them was planned anew for every entry, at ten times the cost of running it.
create or replace function service.check_inputs() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  used bigint;
  its_initiative bigint;
  is_real boolean := (select not i.is_sample from ledger.initiatives i where i.account_id = new.account_id and i.id = new.initiative_id);
begin
  foreach used in array new.input_observation_ids loop
    -- Held until commit, so that nobody deletes it meanwhile without seeing this entry.
    select o.initiative_id into its_initiative
      from ledger.observations o where o.account_id = new.account_id and o.id = used for key share;
    if not found then
      raise exception 'value entry %: its input_snapshot names observation %, which this account does not have', new.id, used
        using errcode = 'foreign_key_violation', column = 'input_snapshot';
    end if;
    if is_real and (select i.is_sample from ledger.initiatives i where i.account_id = new.account_id and i.id = its_initiative) then
      raise exception 'value entry %: observation % belongs to a sample initiative', new.id, used
        using errcode = 'check_violation', column = 'input_snapshot';
    end if;
  end loop;
  return null;
end $$;
