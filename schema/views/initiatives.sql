-- All initiatives, also samples and archived ones. `planned_value_cents`, `planned_capacity_total_cents` and
-- `planned_opex_total_cents` are plan figures times the periods of the horizon, in the plan's currency. A plan without a
-- period is yearly. Planned revenue is multiplied by the account's contribution margin.
create view reporting.initiatives with (security_invoker = true) as
select
  i.account_id,
  i.id,
  i.title,
  i.description,
  i.hypothesis,
  i.stage,
  i.previous_stage,
  i.is_sample,
  i.category,
  i.module_kind,
  i.priority,
  i.source,
  i.business_unit,
  i.department,
  i.gl_dimension_value,
  i.owner_id,
  owner.name as owner_name,
  i.confidence_score::double precision as confidence_score,
  i.currency::text as currency,
  i.roi_horizon_years,
  i.time_to_value_months,
  i.planned_value_period,
  i.planned_capex_cents::bigint as planned_capex_cents,
  i.planned_opex_cents::bigint as planned_opex_cents,
  i.planned_cost_savings_cents::bigint as planned_cost_savings_cents,
  i.planned_revenue_uplift_cents::bigint as planned_revenue_uplift_cents,
  i.planned_capacity_cents::bigint as planned_capacity_cents,
  (coalesce(i.planned_cost_savings_cents, 0) + round(coalesce(i.planned_revenue_uplift_cents, 0) * a.contribution_margin)::bigint)
    * service.periods_in_horizon(i.planned_value_period, i.roi_horizon_years) as planned_value_cents,
  coalesce(i.planned_capacity_cents, 0) * service.periods_in_horizon(i.planned_value_period, i.roi_horizon_years) as planned_capacity_total_cents,
  coalesce(i.planned_opex_cents, 0) * service.periods_in_horizon(i.planned_value_period, i.roi_horizon_years) as planned_opex_total_cents,
  -- True for a plan that a person made or confirmed.
  i.plan_source = 'person' or i.plan_confirmed_at is not null as plan_confirmed,
  i.started_at::timestamptz as started_at,
  i.went_live_at::timestamptz as went_live_at,
  i.approved_at::timestamptz as approved_at,
  i.submitted_for_review_at::timestamptz as submitted_for_review_at,
  i.closed_at::timestamptz as closed_at,
  i.archived_at::timestamptz as archived_at,
  i.created_at::timestamptz as created_at,
  i.updated_at::timestamptz as updated_at,
  service.app_url(a.app_url) || '/initiatives/' || i.id as app_url
from ledger.initiatives i
join ledger.accounts a on a.id = i.account_id
left join ledger.users owner on owner.id = i.owner_id;
