-- Budget versions of every status, with the names of the people who set them and decided on them.
create view reporting.budget_versions with (security_invoker = true) as
select
  b.account_id,
  b.id,
  b.initiative_id,
  i.is_sample,
  b.status,
  b.source,
  b.capex_cents::bigint as capex_cents,
  b.opex_cents::bigint as opex_cents,
  b.opex_cadence,
  b.currency::text as currency,
  b.effective_from::date as effective_from,
  b.effective_month,
  b.ends_on::date as ends_on,
  b.reason,
  b.set_by_id,
  setter.name as set_by_name,
  b.decided_at::timestamptz as decided_at,
  b.decided_by_id,
  decider.name as decided_by_name,
  b.decision_reason,
  b.approval_decision_id,
  b.created_at::timestamptz as created_at,
  service.app_url(a.app_url) || '/initiatives/' || b.initiative_id || '/budget/' || b.id as app_url
from ledger.budget_versions b
join ledger.initiatives i on i.account_id = b.account_id and i.id = b.initiative_id
join ledger.accounts a on a.id = b.account_id
left join ledger.users setter on setter.id = b.set_by_id
left join ledger.users decider on decider.id = b.decided_by_id;
