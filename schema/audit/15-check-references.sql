-- Reads initiatives, reported_value, costs, reported_totals. What names an initiative names one of the initiatives table.
with named as (
  select 'reported_value' as subject, 'value_entry_id ' || value_entry_id as place, initiative_id from reported_value
  union all
  select 'costs', 'cost_entry_id ' || cost_entry_id, initiative_id from costs
  union all
  select 'reported_totals', 'initiative ' || said(initiative_id) || ' ' || window_key, initiative_id
  from reported_totals where scope = 'initiative'
)
select subject, place, 'it is in initiatives' as expected, 'initiative_id is ' || said(initiative_id) as found
from named anti join initiatives using (initiative_id)
union all
select 'reported_totals', window_key, 'a portfolio row has no initiative', 'initiative_id is ' || initiative_id
from reported_totals where scope = 'portfolio' and initiative_id is not null
order by all;
