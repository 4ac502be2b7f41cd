select
  id as approval_decision_id,
  subject_kind,
  subject_id,
  initiative_id,
  subject_title,
  item_label,
  decision,
  resulting_state,
  step,
  total_steps,
  source,
  amount_cents,
  currency,
  reason,
  decided_by_id,
  decided_by_name,
  decided_at
from reporting.approval_decisions
where account_id = :account_id and not is_sample
order by id
