select
  id as portfolio_decision_id,
  initiative_id,
  subject_title,
  outcome,
  stage_before,
  stage_after,
  rationale,
  next_review_on,
  cash_value_cents,
  freed_capacity_cents,
  cost_to_date_cents,
  planned_value_cents,
  planned_value_to_date_cents,
  case when cash_value_cents > 0 and cost_to_date_cents > 0
    then (cash_value_cents - cost_to_date_cents)::float8 / cost_to_date_cents::float8 end as roi,
  currency,
  decided_by_id,
  decided_by_name,
  decided_at,
  app_url
from reporting.portfolio_decisions
where account_id = :account_id and not is_sample
order by id
