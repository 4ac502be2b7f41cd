-- Reads snapshot, initiatives, reported_value, costs, reported_totals. A key names one row, and rows stand in the order
-- of their keys.
with keys as (
  select 'initiatives' as subject, file_row_number as ordinal, [initiative_id::varchar] as key,
    initiative_id <= lag(initiative_id) over (order by file_row_number) as late
  from read_parquet('initiatives.parquet', file_row_number = true)
  union all
  select 'reported_value', file_row_number, [value_entry_id::varchar],
    value_entry_id <= lag(value_entry_id) over (order by file_row_number)
  from read_parquet('reported_value.parquet', file_row_number = true)
  union all
  select 'costs', file_row_number, [cost_entry_id::varchar],
    cost_entry_id <= lag(cost_entry_id) over (order by file_row_number)
  from read_parquet('costs.parquet', file_row_number = true)
  union all
  select 'reported_totals', file_row_number, [scope, said(initiative_id), window_key],
    row(scope, coalesce(initiative_id, 0), window_key)
      <= lag(row(scope, coalesce(initiative_id, 0), window_key)) over (order by file_row_number)
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
