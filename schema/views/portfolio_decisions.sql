-- Portfolio decisions with the figures that were shown at the decision; nothing is computed again. `is_sample` is true if the
-- initiative was a sample when the decision was made, or is a sample now. So the decisions about a deleted sample stay out.
create view reporting.portfolio_decisions with (security_invoker = true) as
select
  d.account_id,
  d.id,
  d.initiative_id,
  d.is_sample or coalesce(i.is_sample, false) as is_sample,
  d.subject_title,
  d.outcome,
  d.stage_before,
  d.stage_after,
  d.rationale,
  d.next_review_on::date as next_review_on,
  d.cash_value_cents::bigint as cash_value_cents,
  d.freed_capacity_cents::bigint as freed_capacity_cents,
  d.cost_to_date_cents::bigint as cost_to_date_cents,
  d.planned_value_cents::bigint as planned_value_cents,
  d.planned_value_to_date_cents::bigint as planned_value_to_date_cents,
  d.currency::text as currency,
  d.decided_by_id,
  decider.name as decided_by_name,
  d.decided_at::timestamptz as decided_at,
  d.created_at::timestamptz as created_at,
  d.updated_at::timestamptz as updated_at,
  service.app_url(a.app_url) || '/initiatives/' || d.initiative_id || '/decisions/' || d.id as app_url
from ledger.portfolio_decisions d
join ledger.accounts a on a.id = d.account_id
left join ledger.initiatives i on i.account_id = d.account_id and i.id = d.initiative_id
left join ledger.users decider on decider.id = d.decided_by_id;
