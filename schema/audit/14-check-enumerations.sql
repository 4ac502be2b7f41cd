-- Reads initiatives, reported_value, value_inputs, value_supporting_documents, metric_readings, costs, approval_decisions,
-- budgets, budget_vs_actual, portfolio_decisions, accounting_periods, ai_spend, reported_totals. A column whose values the
-- description lists holds no other.
with cells as (
  select 'initiatives' as table_name, column_name, content, count(*) as rows
  from (unpivot (from initiatives) on stage, previous_stage, planned_value_period into name column_name value content) group by all
  union all
  select 'reported_value', column_name, content, count(*)
  from (unpivot (from reported_value) on entry_type, source_type, approval_source, basis into name column_name value content) group by all
  union all
  select 'value_inputs', column_name, content, count(*)
  from (unpivot (from value_inputs) on source_type, assumption_scope into name column_name value content) group by all
  union all
  select 'value_supporting_documents', column_name, content, count(*)
  from (unpivot (from value_supporting_documents) on kind, format into name column_name value content) group by all
  union all
  select 'metric_readings', column_name, content, count(*)
  from (unpivot (from metric_readings) on role, source_type, baseline_method into name column_name value content) group by all
  union all
  select 'costs', column_name, content, count(*)
  from (unpivot (from costs) on cost_category into name column_name value content) group by all
  union all
  select 'approval_decisions', column_name, content, count(*)
  from (unpivot (from approval_decisions) on subject_kind, decision, source into name column_name value content) group by all
  union all
  select 'budgets', column_name, content, count(*)
  from (unpivot (from budgets) on status, source, opex_cadence into name column_name value content) group by all
  union all
  select 'budget_vs_actual', column_name, content, count(*)
  from (unpivot (from budget_vs_actual) on status into name column_name value content) group by all
  union all
  select 'portfolio_decisions', column_name, content, count(*)
  from (unpivot (from portfolio_decisions) on outcome, stage_before, stage_after into name column_name value content) group by all
  union all
  select 'accounting_periods', column_name, content, count(*)
  from (unpivot (from accounting_periods) on status into name column_name value content) group by all
  union all
  select 'ai_spend', column_name, content, count(*)
  from (unpivot (from ai_spend) on source_kind, attribution into name column_name value content) group by all
  union all
  select 'reported_totals', column_name, content, count(*)
  from (unpivot (from reported_totals) on scope, window_kind into name column_name value content) group by all
)
select
  table_name as subject,
  column_name as place,
  'it holds one of ' || array_to_string(allowed, ', ') as expected,
  rows || ' rows hold ' || content as found
from cells join declared_columns using (table_name, column_name)
where not coalesce(list_contains(allowed, content), false)
order by all;
