select
  id as budget_id,
  initiative_id,
  status,
  source,
  capex_cents,
  opex_cents,
  opex_cadence,
  currency,
  effective_from,
  ends_on,
  reason,
  set_by_id,
  set_by_name,
  decided_at,
  decided_by_id,
  decided_by_name,
  decision_reason,
  approval_decision_id,
  created_at,
  app_url
from reporting.budget_versions
where account_id = :account_id and not is_sample
order by id
