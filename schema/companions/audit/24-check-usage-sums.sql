-- Each row of api_usage_sums is the sum of the rows of api_ai_usage with its month, currency, model, unit and class of cost.
-- Quantities and costs have up to thirty decimals: the parts before and after the point are added up apart, and compared as one
-- whole number.
set variable reads = ['companions/api_ai_usage', 'companions/api_usage_sums'];
with rows as (
  select month, currency, is_ai, model, unit, recorded, cost_class, list_cost is not null as has_list_cost,
    priced_cost is not null as has_priced_cost, sum(cost_cents) as cost_cents,
    bool_or(unit is not null and (quantity is null or billed_cost is null)) as partial,
    parts_added(quantity) as quantity, parts_added(billed_cost) as billed_cost, parts_added(list_cost) as list_cost,
    parts_added(priced_cost) as priced_cost
  from api_ai_usage
  group by month, currency, is_ai, model, unit, recorded, cost_class, list_cost is not null, priced_cost is not null
)
select 'api_usage_sums' as subject,
  concat_ws(' ', coalesce(s.month, r.month), coalesce(s.currency, r.currency), said(coalesce(s.model, r.model)),
    said(coalesce(s.unit, r.unit)), coalesce(s.cost_class, r.cost_class)) as place,
  'the sum' as figure, coalesce(r.cost_cents::varchar, 'none') as expected, coalesce(s.cost_cents::varchar, 'none') as found,
  'the rows of api_ai_usage add up to it' as rule
from api_usage_sums s full join rows r
  on s.month = r.month and s.currency = r.currency and s.is_ai = r.is_ai and s.recorded = r.recorded
    and s.model is not distinct from r.model and s.unit is not distinct from r.unit and s.cost_class = r.cost_class
    and s.has_list_cost = r.has_list_cost and s.has_priced_cost = r.has_priced_cost
where s.cost_cents is distinct from r.cost_cents or s.partial is distinct from r.partial
  or not is_sum(r.quantity, s.quantity)
  or not is_sum(r.billed_cost, s.billed_cost)
  or not is_sum(r.list_cost, s.list_cost)
  or not is_sum(r.priced_cost, s.priced_cost)
order by all;
