-- Reads initiatives, reported_value, value_inputs, value_supporting_documents, metric_readings, costs, approval_decisions,
-- budgets, budget_vs_actual, portfolio_decisions, accounting_periods, ai_spend, reported_totals.
-- A key names one row, and rows stand in the order of their keys; an empty part of a key is one value like any other.
-- Files are compared row by row as they are read: a sort of the longest would not fit into memory.
with keys as (
  select 'initiatives' as subject, file_row_number as ordinal, [initiative_id::varchar] as key,
    initiative_id <= lag(initiative_id) over () as late
  from read_parquet('initiatives.parquet', file_row_number = true)
  union all
  select 'reported_value', file_row_number, [value_entry_id::varchar],
    value_entry_id <= lag(value_entry_id) over ()
  from read_parquet('reported_value.parquet', file_row_number = true)
  union all
  select 'value_inputs', file_row_number, [value_entry_id::varchar, variable],
    row(value_entry_id, variable) <= lag(row(value_entry_id, variable)) over ()
  from read_parquet('value_inputs.parquet', file_row_number = true)
  union all
  select 'value_supporting_documents', file_row_number, [value_entry_id::varchar, document_id::varchar],
    row(value_entry_id, document_id) <= lag(row(value_entry_id, document_id)) over ()
  from read_parquet('value_supporting_documents.parquet', file_row_number = true)
  union all
  select 'metric_readings', file_row_number, [observation_id::varchar],
    observation_id <= lag(observation_id) over ()
  from read_parquet('metric_readings.parquet', file_row_number = true)
  union all
  select 'costs', file_row_number, [cost_entry_id::varchar],
    cost_entry_id <= lag(cost_entry_id) over ()
  from read_parquet('costs.parquet', file_row_number = true)
  union all
  select 'approval_decisions', file_row_number, [approval_decision_id::varchar],
    approval_decision_id <= lag(approval_decision_id) over ()
  from read_parquet('approval_decisions.parquet', file_row_number = true)
  union all
  select 'budgets', file_row_number, [budget_id::varchar],
    budget_id <= lag(budget_id) over ()
  from read_parquet('budgets.parquet', file_row_number = true)
  union all
  select 'budget_vs_actual', file_row_number, [initiative_id::varchar, as_of::varchar],
    row(initiative_id, as_of) <= lag(row(initiative_id, as_of)) over ()
  from read_parquet('budget_vs_actual.parquet', file_row_number = true)
  union all
  select 'portfolio_decisions', file_row_number, [portfolio_decision_id::varchar],
    portfolio_decision_id <= lag(portfolio_decision_id) over ()
  from read_parquet('portfolio_decisions.parquet', file_row_number = true)
  union all
  select 'accounting_periods', file_row_number, [month::varchar],
    month <= lag(month) over ()
  from read_parquet('accounting_periods.parquet', file_row_number = true)
  union all
  select 'ai_spend', file_row_number, [month::varchar, source_kind, said(connection_id), said(vendor_name)],
    row(month, source_kind, coalesce(connection_id, 0), coalesce(vendor_name, '')) <= lag(row(month, source_kind, coalesce(connection_id, 0), coalesce(vendor_name, ''))) over ()
  from read_parquet('ai_spend.parquet', file_row_number = true)
  union all
  select 'reported_totals', file_row_number, [scope, said(initiative_id), window_key],
    row(scope, coalesce(initiative_id, 0), window_key) <= lag(row(scope, coalesce(initiative_id, 0), window_key)) over ()
  from read_parquet('reported_totals.parquet', file_row_number = true)
)
select
  subject,
  'row ' || (ordinal + 1) as place,
  'its key comes after that of the row before' as expected,
  'its key is ' || array_to_string(key, ' ') as found
from keys
where late
order by subject, ordinal;
