-- Reads snapshot, initiatives, reported_value, value_inputs, value_supporting_documents, metric_readings, costs,
-- approval_decisions, budgets, budget_vs_actual, portfolio_decisions, accounting_periods, ai_spend, reported_totals. How many rows each file says it has.
select parse_filename(file_name, true) as place, num_rows::varchar as found, null::varchar as expected
from parquet_file_metadata('*.parquet')
order by place;
