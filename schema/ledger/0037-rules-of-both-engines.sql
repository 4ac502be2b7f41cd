-- Rules that the audit has and the ledger had not, or had in other words: a row that broke one was taken, and then refused
-- every snapshot of its account.

-- The UTC day of a recorded date or ISO 8601 time; null if the text is neither. The audit reads the same form, in
-- schema/audit/06-view-frozen-inputs.sql: beyond it, PostgreSQL and DuckDB take different texts for times, such as
-- `2026-03-01T24:00:00Z` or `2026-03-01T00:10+05`.
create or replace function service.utc_day(recorded text) returns date
language sql immutable strict parallel safe set timezone = 'UTC' set datestyle = 'ISO'
as $$
  select case
    when recorded ~ '^\d{4}-\d{2}-\d{2}([T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?(Z|[+-](0\d|1[0-4])(:?[0-5]\d)?)?)?$'
      and pg_input_is_valid(recorded, 'timestamptz') then recorded::timestamptz::date end
$$;

-- A stored day of another form is computed again, in the few ledgers that have one.
do $$
begin
  if exists (
    select from ledger.value_entries
    where baseline_measured_on is not null
      and baseline_measured_on is distinct from service.input_measured_on(input_snapshot)
  ) then
    alter table ledger.value_entries drop column baseline_measured_on;
    alter table ledger.value_entries
      add column baseline_measured_on date generated always as (service.input_measured_on(input_snapshot)) stored;
  end if;
end $$;

-- An approved figure of a formula has the inputs that it was computed from. Not valid: a ledger that has such a row, whose
-- snapshots the audit refuses, can still be migrated.
alter table ledger.value_entries add constraint value_formula_has_inputs
  check (status <> 'approved' or formula_version_id is null or input_snapshot <> '{}') not valid;
comment on constraint value_formula_has_inputs on ledger.value_entries is
  'the inputs of the formula when formula_version_id is given and status is approved';

-- No rate is of a day that has not come. The condition stands in the trigger, so that a written row costs nothing.
create function service.refuse_future_rate() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'a day not after today: no rate is of a future day'
    using errcode = 'check_violation', column = 'usd_rate_through';
end $$;
revoke execute on function service.refuse_future_rate() from public;
do $$
declare
  target text;
begin
  foreach target in array array['cost_entries', 'value_entries', 'provider_bills', 'vendor_bills', 'card_charges'] loop
    execute format('create trigger refuse_future_rate before insert or update of usd_rate_through on ledger.%I for each row
      when (new.usd_rate_through > (clock_timestamp() at time zone ''UTC'')::date) execute function service.refuse_future_rate()', target);
  end loop;
end $$;
