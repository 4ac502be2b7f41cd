-- The cash value in the currency of a plan. A month whose cash value is all in that currency has the recorded amounts. A month
-- has a row only if the initiative has cash value in it, and no plan in dollars has one.
set variable reads = ['companions/api_plan_value'];
with recorded as (
  select v.initiative_id, v.period_month as month, bool_and(v.currency = i.currency) as is_own, sum(v.amount_cents) as cents
  from reported_value v
  join initiatives i using (initiative_id)
  where v.entry_type <> 'capacity' and i.currency <> 'USD'
  group by all
)
select 'api_plan_value' as subject,
  concat_ws(' ', 'initiative_id', coalesce(r.initiative_id, p.initiative_id), coalesce(r.month, p.month)) as place,
  'cash_cents' as figure,
  case when r.initiative_id is null then 'no row' when r.is_own then r.cents::varchar else 'any amount' end as expected,
  coalesce(p.cash_cents::varchar, 'no row') as found,
  'value in the currency of a plan counts as it was recorded' as rule
from recorded r
full join api_plan_value p on p.initiative_id = r.initiative_id and p.month is not distinct from r.month
where r.initiative_id is null or r.is_own and r.cents is distinct from p.cash_cents
order by all;
