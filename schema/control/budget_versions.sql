-- The budget versions of initiatives that are not samples, per status and currency: their number and sums, how often each
-- column is filled, and a fingerprint of all columns that are copied unchanged.
select
  b.status,
  b.currency::text as currency,
  count(*) as rows,
  min(b.id) as least_id,
  max(b.id) as greatest_id,
  sum(b.capex_cents) as capex_cents,
  sum(b.opex_cents) as opex_cents,
  count(b.ends_on) as with_end,
  count(b.reason) as with_reason,
  count(b.set_by_id) as with_setter,
  count(b.decided_at) as with_decision,
  count(b.decided_by_id) as with_decider,
  count(b.decision_reason) as with_decision_reason,
  count(b.approval_decision_id) as with_approval,
  sum(('x' || left(md5(concat_ws(chr(31),
    b.id, b.initiative_id, b.status, b.source, b.capex_cents, b.opex_cents, b.opex_cadence, b.currency, b.effective_from,
    coalesce(b.ends_on::text, ''), coalesce(b.reason, ''), coalesce(b.set_by_id::text, ''),
    coalesce((extract(epoch from b.decided_at) * 1000000)::bigint::text, ''), coalesce(b.decided_by_id::text, ''),
    coalesce(b.decision_reason, ''), coalesce(b.approval_decision_id::text, ''),
    (extract(epoch from b.created_at) * 1000000)::bigint
  )), 15))::bit(60)::bigint) as fingerprint
from ledger.budget_versions b
where b.account_id = :account_id
  and not exists (
    select from ledger.initiatives i where i.account_id = b.account_id and i.id = b.initiative_id and i.is_sample)
group by b.status, b.currency
order by b.status collate "C", b.currency collate "C"
