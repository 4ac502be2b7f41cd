select
  value_entry_id,
  initiative_id,
  variable,
  label,
  value,
  source_type,
  metric_key,
  observation_id,
  assumption_id,
  assumption_key,
  assumption_scope,
  requires_confirmation,
  assumption_effective_from,
  observed_at,
  input_period_start,
  input_period_end,
  expression
from reporting.value_inputs
where account_id = :account_id and status = 'approved' and not is_sample
order by value_entry_id, variable collate "C"
