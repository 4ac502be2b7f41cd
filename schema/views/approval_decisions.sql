-- Approval decisions as recorded, with the name of the person who decided. `is_sample` is true if the initiative was a sample
-- when the decision was made, or is a sample now. So a decision about a deleted sample stays a sample, and is in no published
-- file.
create view reporting.approval_decisions with (security_invoker = true) as
select
  d.account_id,
  d.id,
  d.subject_kind,
  d.subject_id,
  d.initiative_id,
  d.is_sample or coalesce(i.is_sample, false) as is_sample,
  d.subject_title,
  d.item_label,
  d.decision,
  d.resulting_state,
  d.step,
  d.total_steps,
  d.source,
  d.amount_cents::bigint as amount_cents,
  d.currency::text as currency,
  d.reason,
  d.decided_by_id,
  decider.name as decided_by_name,
  d.decided_at::timestamptz as decided_at
from ledger.approval_decisions d
left join ledger.initiatives i on i.account_id = d.account_id and i.id = d.initiative_id
left join ledger.users decider on decider.id = d.decided_by_id;
