-- What was used, by bill, day, initiative, service, model and unit. The cents of the rows of a bill add up to it: what no row
-- has is a row of `usage_rests`, without a quantity. A bill that was loaded before usage was kept has only such rows.
-- Each part is of one table without a condition, and its types are the same: so the indexes of both give a page in order.
create view reporting.ai_usage with (security_invoker = true) as
select
  u.account_id,
  u.id,
  u.bill_id,
  bill.connection_id,
  bill.month::date as month,
  coalesce(u.used_on, bill.month::date) as used_on,
  -- An index finds the rows of an initiative by the id that is stored.
  u.initiative_id as named_initiative_id,
  case when not i.is_sample then u.initiative_id end as initiative_id,
  u.recorded,
  u.is_ai,
  u.service,
  u.model,
  u.unit,
  trim_scale(u.quantity)::text as quantity,
  u.cost_class,
  bill.currency::text as currency,
  coalesce(u.cost_cents, 0)::bigint as cost_cents,
  trim_scale(u.billed_cost)::text as billed_cost,
  trim_scale(u.effective_cost)::text as effective_cost,
  trim_scale(u.list_cost)::text as list_cost,
  trim_scale(u.priced_cost)::text as priced_cost,
  (u.billed_cost / nullif(u.quantity, 0))::float8 as unit_cost,
  u.created_at::timestamptz as created_at,
  u.updated_at::timestamptz as updated_at
from (
  select
    account_id, id, bill_id, used_on::date as used_on, initiative_id, true as recorded, is_ai, service, model, unit,
    quantity::numeric as quantity, cost_class, cost_cents, billed_cost::numeric as billed_cost,
    effective_cost::numeric as effective_cost, list_cost::numeric as list_cost, priced_cost::numeric as priced_cost,
    created_at, updated_at, superseded
  from ledger.usage
  union all
  select
    account_id, id, bill_id, null::date, null::bigint, false, is_ai, null::text, null::text, null::text,
    null::numeric, 'usage'::text, cost_cents, null::numeric,
    null::numeric, null::numeric, null::numeric,
    created_at, updated_at, false
  from ledger.usage_rests
) as u
join ledger.provider_bills bill on bill.account_id = u.account_id and bill.id = u.bill_id
left join ledger.initiatives i on i.account_id = u.account_id and i.id = u.initiative_id
-- A quantity of a file counts only where the bill does not count the same unit of the day itself.
where not u.superseded;
