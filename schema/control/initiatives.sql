-- The initiatives per currency of their plan, samples in rows of their own: their number, the sums of their plans, how often
-- each column is filled, and a fingerprint of all columns that are copied unchanged.
select
  i.is_sample,
  i.currency::text as currency,
  count(*) as rows,
  min(i.id) as least_id,
  max(i.id) as greatest_id,
  coalesce(sum(i.planned_capex_cents), 0) as planned_capex_cents,
  coalesce(sum(i.planned_opex_cents), 0) as planned_opex_cents,
  coalesce(sum(i.planned_cost_savings_cents), 0) as planned_cost_savings_cents,
  coalesce(sum(i.planned_revenue_uplift_cents), 0) as planned_revenue_uplift_cents,
  coalesce(sum(i.planned_capacity_cents), 0) as planned_capacity_cents,
  count(i.previous_stage) as with_previous_stage,
  count(i.owner_id) as with_owner,
  coalesce(sum(i.owner_id), 0) as owner_ids,
  count(i.module_kind) as with_module_kind,
  count(i.department) as with_department,
  count(i.business_unit) as with_business_unit,
  count(i.priority) as with_priority,
  count(i.started_at) as with_start,
  count(i.went_live_at) as with_go_live,
  count(i.closed_at) as with_close,
  count(i.archived_at) as with_archiving,
  count(i.planned_value_period) as with_value_period,
  count(i.roi_horizon_years) as with_horizon,
  count(i.time_to_value_months) as with_time_to_value,
  count(i.description) as with_description,
  count(i.hypothesis) as with_hypothesis,
  sum(('x' || left(md5(concat_ws(chr(31),
    i.id, i.title, i.stage, coalesce(i.previous_stage, ''), coalesce(i.category, 'uncategorized'),
    coalesce(i.module_kind, ''), coalesce(i.department, ''), coalesce(i.business_unit, ''),
    coalesce(i.priority::text, ''), coalesce(i.owner_id::text, ''),
    coalesce((extract(epoch from i.started_at) * 1000000)::bigint::text, ''),
    coalesce((extract(epoch from i.went_live_at) * 1000000)::bigint::text, ''),
    coalesce((extract(epoch from i.closed_at) * 1000000)::bigint::text, ''),
    coalesce((extract(epoch from i.archived_at) * 1000000)::bigint::text, ''),
    coalesce(i.planned_capex_cents::text, ''), coalesce(i.planned_opex_cents::text, ''),
    coalesce(i.planned_cost_savings_cents::text, ''), coalesce(i.planned_revenue_uplift_cents::text, ''),
    coalesce(i.planned_capacity_cents::text, ''), coalesce(i.planned_value_period, ''),
    coalesce(i.roi_horizon_years::text, ''), coalesce(i.time_to_value_months::text, ''),
    coalesce(i.description, ''), coalesce(i.hypothesis, ''),
    (extract(epoch from i.created_at) * 1000000)::bigint, i.currency
  )), 15))::bit(60)::bigint) as fingerprint
from ledger.initiatives i
where i.account_id = :account_id
group by i.is_sample, i.currency
order by i.is_sample, i.currency collate "C"
