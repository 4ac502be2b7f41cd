-- A companion and its reporting table have the same rows, and the columns that both have are equal. Of api_value_entries,
-- only approved entries are compared. Rows are compared one by one only in the stretches of ids whose digests differ: a join
-- of all rows would not fit into memory.
set variable reads = ['companions/api_initiatives', 'companions/api_cost_entries', 'companions/api_value_entries',
  'companions/api_decisions'];
create or replace temp view own_initiatives as
select id, (title, stage, nullif(category, 'uncategorized'), priority, owner_id, currency, planned_capex_cents, planned_opex_cents,
  planned_cost_savings_cents, planned_revenue_uplift_cents, planned_capacity_cents, roi_horizon_years,
  started_at, went_live_at, closed_at, created_at) as cells
from api_initiatives;
create or replace temp view its_initiatives as
select initiative_id as id, (title, stage, nullif(category, 'uncategorized'), priority, owner_id, currency, planned_capex_cents,
  planned_opex_cents, planned_cost_savings_cents, planned_revenue_uplift_cents, planned_capacity_cents, roi_horizon_years,
  started_at, went_live_at, closed_at, created_at) as cells
from initiatives;
create or replace temp view own_costs as
select id, (initiative_id, amount_cents, currency, usd_amount_cents, usd_rate, usd_rate_from, usd_rate_through,
  usd_rate_provisional, cost_category, coalesce(cost_type, 'other'), period_start, period_end, is_estimated,
  locked, vendor_id, vendor_name, source_type, connection_id, source_ref, created_at, updated_at) as cells
from api_cost_entries;
create or replace temp view its_costs as
select cost_entry_id as id, (initiative_id, amount_cents, currency, usd_amount_cents, usd_rate, usd_rate_from, usd_rate_through,
  coalesce(usd_rate_provisional, false), cost_category, cost_type, utc_day(period_start), utc_day(period_end), is_estimated,
  locked, vendor_id, vendor_name, source_type, connection_id, source_ref, created_at, updated_at) as cells
from costs;
create or replace temp view own_values as
select id, (initiative_id, amount_cents, currency, usd_amount_cents, usd_rate, usd_rate_from, usd_rate_through, entry_type,
  period_start, period_end, is_estimated, confidence_score, source_type, connection_id, source_ref, formula_id, formula_key,
  formula_version, approved_at, created_at, updated_at, basis) as cells
from api_value_entries where status = 'approved';
create or replace temp view its_values as
select value_entry_id as id, (initiative_id, amount_cents, currency, usd_amount_cents, usd_rate, usd_rate_from, usd_rate_through,
  entry_type, utc_day(period_start), utc_day(period_end), is_estimated, confidence_score, source_type, connection_id, source_ref,
  formula_id, formula_key, formula_version, approved_at, created_at, updated_at, basis) as cells
from reported_value;
create or replace temp view own_decisions as
select id, (initiative_id, subject_title, outcome, stage_before, stage_after, rationale, next_review_on,
  cash_value_cents, freed_capacity_cents, cost_to_date_cents, planned_value_cents,
  planned_value_to_date_cents, currency, decided_by_id, decided_at) as cells
from api_decisions;
create or replace temp view its_decisions as
select portfolio_decision_id as id, (initiative_id, subject_title, outcome, stage_before, stage_after, rationale, next_review_on,
  cash_value_cents, freed_capacity_cents, cost_to_date_cents, planned_value_cents,
  planned_value_to_date_cents, currency, decided_by_id, decided_at) as cells
from portfolio_decisions;
create or replace temp table differing as
with digests as (
  select 'api_initiatives' as list, true as is_own, id // 8192 as stretch, hash(cells) as digest from own_initiatives
  union all
  select 'api_initiatives', false, id // 8192, hash(cells) from its_initiatives
  union all
  select 'api_cost_entries', true, id // 8192, hash(cells) from own_costs
  union all
  select 'api_cost_entries', false, id // 8192, hash(cells) from its_costs
  union all
  select 'api_value_entries', true, id // 8192, hash(cells) from own_values
  union all
  select 'api_value_entries', false, id // 8192, hash(cells) from its_values
  union all
  select 'api_decisions', true, id // 8192, hash(cells) from own_decisions
  union all
  select 'api_decisions', false, id // 8192, hash(cells) from its_decisions
)
select list, stretch
from digests
group by list, stretch
having count(*) filter (where is_own) <> count(*) filter (where not is_own)
  or sum(digest) filter (where is_own) is distinct from sum(digest) filter (where not is_own)
order by list, stretch limit 10;
with pairs as (
  select 'api_initiatives' as list, a.id, b.id as other, a.cells::varchar as own, b.cells::varchar as its
  from (from own_initiatives where id // 8192 in (select stretch from differing where list = 'api_initiatives')) a
  full join (from its_initiatives where id // 8192 in (select stretch from differing where list = 'api_initiatives')) b on b.id = a.id
  union all
  select 'api_cost_entries', a.id, b.id, a.cells::varchar, b.cells::varchar
  from (from own_costs where id // 8192 in (select stretch from differing where list = 'api_cost_entries')) a
  full join (from its_costs where id // 8192 in (select stretch from differing where list = 'api_cost_entries')) b on b.id = a.id
  union all
  select 'api_value_entries', a.id, b.id, a.cells::varchar, b.cells::varchar
  from (from own_values where id // 8192 in (select stretch from differing where list = 'api_value_entries')) a
  full join (from its_values where id // 8192 in (select stretch from differing where list = 'api_value_entries')) b on b.id = a.id
  union all
  select 'api_decisions', a.id, b.id, a.cells::varchar, b.cells::varchar
  from (from own_decisions where id // 8192 in (select stretch from differing where list = 'api_decisions')) a
  full join (from its_decisions where id // 8192 in (select stretch from differing where list = 'api_decisions')) b on b.id = a.id
)
select list as subject, 'id ' || coalesce(id, other) as place, 'fields' as figure, its as expected, own as found,
  'the reporting table has the same row' as rule
from pairs
where id is null or other is null or own is distinct from its
order by all;
