-- The portfolio decisions per outcome and currency, without decisions about an initiative that was a sample then or is one
-- now: their number and sums, how often each column is filled, and a fingerprint of all columns that are copied unchanged.
select
  d.outcome,
  d.currency::text as currency,
  count(*) as rows,
  min(d.id) as least_id,
  max(d.id) as greatest_id,
  sum(d.cash_value_cents) as cash_value_cents,
  sum(d.freed_capacity_cents) as freed_capacity_cents,
  sum(d.cost_to_date_cents) as cost_to_date_cents,
  coalesce(sum(d.planned_value_cents), 0) as planned_value_cents,
  coalesce(sum(d.planned_value_to_date_cents), 0) as planned_value_to_date_cents,
  count(d.planned_value_cents) as with_plan,
  count(d.planned_value_to_date_cents) as with_plan_to_date,
  count(d.initiative_id) as with_initiative,
  count(d.next_review_on) as with_review,
  count(d.decided_by_id) as with_decider,
  sum(('x' || left(md5(concat_ws(chr(31),
    d.id, coalesce(d.initiative_id::text, ''), d.subject_title, d.outcome, d.stage_before, d.stage_after, d.rationale,
    coalesce(d.next_review_on::text, ''), d.cash_value_cents, d.freed_capacity_cents, d.cost_to_date_cents,
    coalesce(d.planned_value_cents::text, ''), coalesce(d.planned_value_to_date_cents::text, ''), d.currency,
    coalesce(d.decided_by_id::text, ''), (extract(epoch from d.decided_at) * 1000000)::bigint
  )), 15))::bit(60)::bigint) as fingerprint
from ledger.portfolio_decisions d
where d.account_id = :account_id and not (d.is_sample or exists (
  select from ledger.initiatives i where i.account_id = d.account_id and i.id = d.initiative_id and i.is_sample))
group by d.outcome, d.currency
order by d.outcome collate "C", d.currency collate "C"
