-- Reads snapshot, initiatives, reported_value, value_inputs, value_supporting_documents, metric_readings, costs,
-- approval_decisions, budgets, budget_vs_actual, portfolio_decisions, accounting_periods, ai_spend, reported_totals. Columns are
-- those declared, in that order, of that type, and only a nullable one may be empty.
with found as (
  from file_columns
), declared as (
  select
    *,
    case kind
      when 'integer' then 'INTEGER' when 'number' then 'DOUBLE' when 'boolean' then 'BOOLEAN' when 'date' then 'DATE'
      when 'timestamp' then 'TIMESTAMP WITH TIME ZONE' when 'id' then 'BIGINT' when 'cents' then 'BIGINT'
      else 'VARCHAR'
    end as type
  from declared_columns
)
select
  coalesce(declared.table_name, found.table_name) as subject,
  'column ' || coalesce(declared.ordinal, found.ordinal) as place,
  coalesce('declared is ' || declared.column_name || ' ' || declared.type
    || if(declared.nullable, '', ' not null'), 'none is declared') as expected,
  coalesce('the file has ' || found.column_name || ' ' || found.type
    || if(found.nullable, '', ' not null'), 'the file has none') as found
from declared full join found on found.table_name = declared.table_name and found.ordinal = declared.ordinal
where (declared.column_name, declared.type, declared.nullable)
  is distinct from (found.column_name, found.type, found.nullable)
order by subject, coalesce(declared.ordinal, found.ordinal);
