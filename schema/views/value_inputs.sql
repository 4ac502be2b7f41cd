-- The inputs of value entries that have a formula, one row per input. They are read from the JSON that was stored with the
-- figure when it was calculated, and are in no table of their own.
create view reporting.value_inputs with (security_invoker = true) as
select
  v.account_id,
  v.id as value_entry_id,
  v.initiative_id,
  i.is_sample,
  v.status,
  input.variable,
  input.frozen ->> 'label' as label,
  (input.frozen ->> 'value')::double precision as value,
  input.frozen ->> 'source_type' as source_type,
  input.frozen ->> 'metric_key' as metric_key,
  (input.frozen ->> 'observation_id')::bigint as observation_id,
  (input.frozen ->> 'assumption_id')::bigint as assumption_id,
  input.frozen ->> 'assumption_key' as assumption_key,
  input.frozen ->> 'assumption_scope' as assumption_scope,
  (input.frozen ->> 'requires_confirmation')::boolean as requires_confirmation,
  input.frozen ->> 'assumption_effective_from' as assumption_effective_from,
  input.frozen ->> 'observed_at' as observed_at,
  input.frozen ->> 'input_period_start' as input_period_start,
  input.frozen ->> 'input_period_end' as input_period_end,
  input.frozen ->> 'expression' as expression
from ledger.value_entries v
join ledger.initiatives i on i.account_id = v.account_id and i.id = v.initiative_id
cross join lateral jsonb_each(v.input_snapshot::jsonb -> 'inputs') as input (variable, frozen)
where v.formula_version_id is not null;
