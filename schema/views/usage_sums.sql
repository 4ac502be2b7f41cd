-- The usage of bills, added up by month, model, unit and class of cost. A sum is partial if one of its rows has a unit, and no
-- quantity or no cost. Rows with a list cost are apart from rows without one, and so are rows with a priced cost. What no row of
-- usage has is not recorded: it has cents alone.
create view reporting.usage_sums with (security_invoker = true) as
select
  u.account_id,
  bill.month::date as month,
  bill.currency::text as currency,
  u.is_ai,
  u.model,
  u.unit,
  u.recorded,
  u.cost_class,
  u.list_cost is not null as has_list_cost,
  u.priced_cost is not null as has_priced_cost,
  trim_scale(sum(u.quantity))::text as quantity,
  trim_scale(sum(u.billed_cost))::text as billed_cost,
  trim_scale(sum(u.list_cost))::text as list_cost,
  trim_scale(sum(u.priced_cost))::text as priced_cost,
  sum(u.cost_cents) as cost_cents,
  coalesce(bool_or(u.unit is not null and (u.quantity is null or u.billed_cost is null)), false) as partial
from (
  select
    account_id, bill_id, is_ai, model, unit, true as recorded, cost_class, quantity::numeric as quantity,
    billed_cost::numeric as billed_cost, list_cost::numeric as list_cost, priced_cost::numeric as priced_cost,
    coalesce(cost_cents, 0) as cost_cents
  from ledger.usage
  where not superseded
  union all
  select
    account_id, bill_id, is_ai, null::text, null::text, false, 'usage'::text, null::numeric,
    null::numeric, null::numeric, null::numeric, cost_cents
  from ledger.usage_rests
) as u
join ledger.provider_bills bill on bill.account_id = u.account_id and bill.id = u.bill_id
group by
  u.account_id, bill.month, bill.currency, u.is_ai, u.model, u.unit, u.recorded, u.cost_class, u.list_cost is not null,
  u.priced_cost is not null;
