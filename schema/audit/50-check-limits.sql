-- Every sum of cents lies between -(2^53 - 1) and 2^53 - 1, so it is exact as a JSON number.
set variable reads = ['reported_totals', 'budget_vs_actual', 'ai_spend'];
with sums as (
  select 'reported_totals' as subject,
    if(scope = 'initiative', 'initiative ' || initiative_id || ' ', '') || window_key as place, column_name, sum_cents
  from (unpivot (from reported_totals) on columns('_cents$') into name column_name value sum_cents)
  union all
  select 'budget_vs_actual', as_of || ' initiative ' || initiative_id, column_name, sum_cents
  from (unpivot (from budget_vs_actual) on columns('_cents$') into name column_name value sum_cents)
  union all
  select 'ai_spend', concat_ws(' ', month, source_kind, connection_id, vendor_name), column_name, sum_cents
  from (unpivot (from ai_spend) on columns('_cents$') into name column_name value sum_cents)
)
select subject, place, column_name as figure,
  if(sum_cents > 0, 'at most 9007199254740991 cents', 'at least -9007199254740991 cents') as expected, sum_cents::varchar as found,
  'a sum is exact as a JSON number up to 2^53 - 1 above or below zero' as rule
from sums
where sum_cents not between -9007199254740991 and 9007199254740991
order by all;
