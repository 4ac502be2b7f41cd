-- Guards of earlier files that a review found wrong. An applied file is never edited: what it made is made again here.

-- A decision leaves the served rows with the sample mark of its initiative, and comes back with it.
create or replace function service.touch_all_of_initiative() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  update ledger.value_entries set updated_at = updated_at where account_id = new.account_id and initiative_id = new.id;
  update ledger.cost_entries set updated_at = updated_at where account_id = new.account_id and initiative_id = new.id;
  update ledger.observations set updated_at = updated_at where account_id = new.account_id and initiative_id = new.id;
  update ledger.portfolio_decisions set updated_at = updated_at where account_id = new.account_id and initiative_id = new.id;
  return null;
end $$;

-- A used reading outlives its initiative. It keeps the time study that it came from where the study outlives the initiative
-- too; a study of the initiative itself goes with it, and then the key of observations empties time_study_id.
create or replace function service.release_used_observations() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform service.share_gate(old.account_id); -- before the entries that go with the initiative
  update ledger.observations o
    set initiative_id = null, deleted_at = coalesce(o.deleted_at, clock_timestamp())
    where o.account_id = old.account_id and o.initiative_id = old.id
      and exists (
        select from ledger.value_entries v
        where v.account_id = o.account_id and v.initiative_id <> old.id and v.input_observation_ids @> array[o.id]);
  return old;
end $$;

-- Decided: a reading of a time study has no recorder. The rule is one for costs, value and readings: recorded_by only for
-- manual, assistant and csv. /observations shows such a reading as calculated, and what is calculated no person recorded.
alter table ledger.observations drop constraint observation_recorded_by_person;
update ledger.observations set recorded_by_id = null where source_type = 'time_study' and recorded_by_id is not null;
set constraints all immediate;
alter table ledger.observations add constraint observation_recorded_by_person
  check (recorded_by_id is null or source_type in ('manual', 'assistant', 'csv'));

-- `load` refuses a row that breaks a rule in the words of the rule's comment.
comment on constraint observation_recorded_by_person on ledger.observations is
  'an empty recorded_by_id: only a manual, assistant or csv reading was recorded by a person';
comment on constraint cost_recorded_by_person on ledger.cost_entries is
  'an empty recorded_by_id: only a manual, assistant or csv cost was recorded by a person';
comment on constraint value_recorded_by_person on ledger.value_entries is
  'an empty recorded_by_id: only a manual, assistant or csv value entry was recorded by a person';
-- Decided: no horizon is an empty one, whose planned value is 0. A horizon of 0 years would say the same in a second way.
comment on constraint initiatives_roi_horizon_years_check on ledger.initiatives is
  '1 to 50 years, or an empty cell for a plan without a horizon';
-- Decided: days are in order although a budget counts whole months. An end before its start is refused everywhere.
comment on constraint budget_versions_check on ledger.budget_versions is
  'an ends_on that is not before effective_from, in one month too; to end a budget with its first month, give the month''s last day';
