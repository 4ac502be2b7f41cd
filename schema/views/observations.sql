-- Observations with the present names of people and metrics. An observation from a time study is valid until the study's last
-- day plus the months after which the study must be repeated. For every other observation `valid_until` is null.
create view reporting.observations with (security_invoker = true) as
select
  o.account_id,
  o.id,
  o.metric_id,
  metric.metric_key,
  metric.name as metric_name,
  o.initiative_id,
  coalesce(i.is_sample, false) as is_sample,
  o.value::double precision as value,
  o.currency::text as currency,
  o.role,
  o.baseline_method,
  o.observed_at::timestamptz as observed_at,
  o.period_start::date as period_start,
  o.period_end::date as period_end,
  o.is_estimated,
  o.sample_size,
  o.quality_score::double precision as quality_score,
  o.source_type,
  o.connection_id,
  o.source_ref,
  o.dimensions,
  o.notes,
  o.recorded_by_id,
  recorder.name as recorded_by_name,
  o.time_study_id,
  (study.ended_on + make_interval(months => study.restudy_months))::date as valid_until,
  o.deleted_at::timestamptz as deleted_at,
  -- The partial indexes have the same condition, so a filter by `kept` can use them.
  o.deleted_at is null as kept,
  o.created_at::timestamptz as created_at,
  o.updated_at::timestamptz as updated_at
from ledger.observations o
join ledger.metrics metric on metric.account_id = o.account_id and metric.id = o.metric_id
left join ledger.initiatives i on i.account_id = o.account_id and i.id = o.initiative_id
left join ledger.time_studies study on study.account_id = o.account_id and study.id = o.time_study_id
left join ledger.users recorder on recorder.id = o.recorded_by_id;
