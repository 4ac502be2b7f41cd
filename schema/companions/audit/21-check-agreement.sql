-- A companion and its reporting table have the same rows, and the columns that both have are equal. Of api_value_entries,
-- only approved entries are compared.
set variable reads = ['companions/api_initiatives', 'companions/api_cost_entries', 'companions/api_value_entries',
  'companions/api_decisions'];
with pairs as (
  select 'api_initiatives' as list, a.id, b.initiative_id as other,
    (a.title, a.stage, a.category, a.priority, a.owner_id, a.currency, a.planned_capex_cents, a.planned_opex_cents,
      a.planned_cost_savings_cents, a.planned_revenue_uplift_cents, a.planned_capacity_cents, a.roi_horizon_years,
      a.started_at, a.went_live_at, a.closed_at, a.created_at)::varchar as own,
    (b.title, b.stage, nullif(b.category, 'uncategorized'), b.priority, b.owner_id, b.currency, b.planned_capex_cents,
      b.planned_opex_cents, b.planned_cost_savings_cents, b.planned_revenue_uplift_cents, b.planned_capacity_cents,
      b.roi_horizon_years, b.started_at, b.went_live_at, b.closed_at, b.created_at)::varchar as its
  from (select * replace (nullif(category, 'uncategorized') as category) from api_initiatives) a
  full join initiatives b on b.initiative_id = a.id
  union all
  select 'api_cost_entries', a.id, b.cost_entry_id,
    (a.initiative_id, a.amount_cents, a.currency, a.usd_amount_cents, a.usd_rate, a.usd_rate_from, a.usd_rate_through,
      a.usd_rate_provisional, a.cost_category, coalesce(a.cost_type, 'other'), a.period_start, a.period_end, a.is_estimated,
      a.locked, a.vendor_id, a.vendor_name, a.source_type, a.connection_id, a.source_ref, a.created_at, a.updated_at)::varchar,
    (b.initiative_id, b.amount_cents, b.currency, b.usd_amount_cents, b.usd_rate, b.usd_rate_from, b.usd_rate_through,
      coalesce(b.usd_rate_provisional, false), b.cost_category, b.cost_type, utc_day(b.period_start), utc_day(b.period_end),
      b.is_estimated, b.locked, b.vendor_id, b.vendor_name, b.source_type, b.connection_id, b.source_ref, b.created_at,
      b.updated_at)::varchar
  from api_cost_entries a full join costs b on b.cost_entry_id = a.id
  union all
  select 'api_value_entries', a.id, b.value_entry_id,
    (a.initiative_id, a.amount_cents, a.currency, a.usd_amount_cents, a.usd_rate, a.usd_rate_from, a.usd_rate_through,
      a.entry_type, a.period_start, a.period_end, a.is_estimated, a.confidence_score, a.source_type, a.connection_id,
      a.source_ref, a.formula_id, a.formula_key, a.formula_version, a.approved_at, a.created_at, a.updated_at, a.basis)::varchar,
    (b.initiative_id, b.amount_cents, b.currency, b.usd_amount_cents, b.usd_rate, b.usd_rate_from, b.usd_rate_through,
      b.entry_type, utc_day(b.period_start), utc_day(b.period_end), b.is_estimated, b.confidence_score, b.source_type,
      b.connection_id, b.source_ref, b.formula_id, b.formula_key, b.formula_version, b.approved_at, b.created_at,
      b.updated_at, b.basis)::varchar
  from (from api_value_entries where status = 'approved') a full join reported_value b on b.value_entry_id = a.id
  union all
  select 'api_decisions', a.id, b.portfolio_decision_id,
    (a.initiative_id, a.subject_title, a.outcome, a.stage_before, a.stage_after, a.rationale, a.next_review_on,
      a.cash_value_cents, a.freed_capacity_cents, a.cost_to_date_cents, a.planned_value_cents,
      a.planned_value_to_date_cents, a.currency, a.decided_by_id, a.decided_at)::varchar,
    (b.initiative_id, b.subject_title, b.outcome, b.stage_before, b.stage_after, b.rationale, b.next_review_on,
      b.cash_value_cents, b.freed_capacity_cents, b.cost_to_date_cents, b.planned_value_cents,
      b.planned_value_to_date_cents, b.currency, b.decided_by_id, b.decided_at)::varchar
  from api_decisions a full join portfolio_decisions b on b.portfolio_decision_id = a.id
)
select list as subject, 'id ' || coalesce(id, other) as place, 'fields' as figure, its as expected, own as found,
  'the reporting table has the same row' as rule
from pairs
where id is null or other is null or own is distinct from its
order by all;
