-- Reads initiatives, reported_value, costs, reported_totals. A column whose values the description lists holds no other.
with coded as (
  unpivot (from initiatives) on stage, previous_stage, planned_value_period into name column_name value content
), cells as (
  select 'initiatives' as table_name, column_name, content, count(*) as rows from coded group by all
  union all
  select 'reported_value', column_name, content, count(*)
  from (unpivot (from reported_value) on entry_type, source_type, approval_source, basis into name column_name value content)
  group by all
  union all
  select 'costs', 'cost_category', cost_category, count(*) from costs group by all
  union all
  select 'reported_totals', column_name, content, count(*)
  from (unpivot (from reported_totals) on scope, window_kind into name column_name value content)
  group by all
)
select
  table_name as subject,
  column_name as place,
  'it holds one of ' || array_to_string(allowed, ', ') as expected,
  rows || ' rows hold ' || content as found
from cells join declared_columns using (table_name, column_name)
where not coalesce(list_contains(allowed, content), false)
order by all;
