select
  id as observation_id,
  metric_key,
  metric_name,
  initiative_id,
  role,
  value,
  currency,
  period_start::timestamp at time zone 'UTC' as period_start,
  period_end::timestamp at time zone 'UTC' as period_end,
  observed_at,
  sample_size,
  is_estimated,
  source_type,
  connection_id,
  dimensions,
  notes,
  recorded_by_id,
  recorded_by_name,
  baseline_method,
  time_study_id,
  valid_until
from reporting.observations
where account_id = :account_id and id in (
  select observation_id from reporting.input_observations
  where account_id = :account_id and status = 'approved' and not is_sample)
order by id
