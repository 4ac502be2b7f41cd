-- Reads initiatives, reported_value, budget_vs_actual, reported_totals. Columns that are nullable only because they were added or listed
-- so, and that the declarations promise never to leave empty.
select 'initiatives' as subject, 'initiative_id ' || initiative_id as place, 'it is never empty' as expected,
  'currency is empty' as found
from initiatives where currency is null
union all
select 'reported_value', 'value_entry_id ' || value_entry_id, 'it is never empty', 'basis is empty'
from reported_value where basis is null
union all
select 'budget_vs_actual', as_of || ' initiative ' || initiative_id, 'it is never empty', 'currency is empty'
from budget_vs_actual where currency is null
union all
select 'reported_totals', said(initiative_id) || ' ' || window_key, 'it is never empty', 'through_date is empty'
from reported_totals where through_date is null
order by all;
