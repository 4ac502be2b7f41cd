-- Reads initiatives, reported_value, value_inputs, value_supporting_documents, metric_readings, costs, approval_decisions,
-- budgets, budget_vs_actual, portfolio_decisions, accounting_periods, ai_spend, reported_totals. A column whose values the
-- description lists holds no other.
with cells as (
  select 'initiatives' as table_name, unnest(['stage', 'previous_stage', 'planned_value_period']) as column_name,
    unnest([stage, previous_stage, planned_value_period]) as content
  from initiatives
  union all
  select 'reported_value', unnest(['entry_type', 'source_type', 'approval_source', 'basis']),
    unnest([entry_type, source_type, approval_source, basis])
  from reported_value
  union all
  select 'value_inputs', unnest(['source_type', 'assumption_scope']), unnest([source_type, assumption_scope]) from value_inputs
  union all
  select 'value_supporting_documents', unnest(['kind', 'format']), unnest([kind, format]) from value_supporting_documents
  union all
  select 'metric_readings', unnest(['role', 'source_type', 'baseline_method']), unnest([role, source_type, baseline_method])
  from metric_readings
  union all
  select 'costs', unnest(['cost_category']), unnest([cost_category]) from costs
  union all
  select 'approval_decisions', unnest(['subject_kind', 'decision', 'source']), unnest([subject_kind, decision, source])
  from approval_decisions
  union all
  select 'budgets', unnest(['status', 'source', 'opex_cadence']), unnest([status, source, opex_cadence]) from budgets
  union all
  select 'budget_vs_actual', unnest(['status']), unnest([status]) from budget_vs_actual
  union all
  select 'portfolio_decisions', unnest(['outcome', 'stage_before', 'stage_after']), unnest([outcome, stage_before, stage_after])
  from portfolio_decisions
  union all
  select 'accounting_periods', unnest(['status']), unnest([status]) from accounting_periods
  union all
  select 'ai_spend', unnest(['source_kind', 'attribution']), unnest([source_kind, attribution]) from ai_spend
  union all
  select 'reported_totals', unnest(['scope', 'window_kind']), unnest([scope, window_kind]) from reported_totals
), counted as (
  select table_name, column_name, content, count(*) as rows from cells where content is not null group by all
)
select
  table_name as subject,
  column_name as place,
  'it holds one of ' || array_to_string(allowed, ', ') as expected,
  rows || ' rows hold ' || content as found
from counted join declared_columns using (table_name, column_name)
where not coalesce(list_contains(allowed, content), false)
order by all;
