-- What was used, by bill, day, initiative, service, model and unit. The cents of the rows of a bill add up to it: what no row
-- has is in a row of its own, without a quantity. A bill that was loaded before usage was kept has only such rows.
create view reporting.ai_usage with (security_invoker = true) as
select
  u.account_id,
  u.id,
  u.bill_id,
  bill.connection_id,
  bill.month::date as month,
  u.used_on::date as used_on,
  case when not i.is_sample then u.initiative_id end as initiative_id,
  true as recorded,
  u.is_ai,
  u.service,
  u.model,
  u.unit,
  trim_scale(u.quantity::numeric)::text as quantity,
  u.cost_class,
  bill.currency::text as currency,
  coalesce(u.cost_cents, 0)::bigint as cost_cents,
  trim_scale(u.billed_cost::numeric)::text as billed_cost,
  trim_scale(u.effective_cost::numeric)::text as effective_cost,
  trim_scale(u.list_cost::numeric)::text as list_cost,
  trim_scale(u.priced_cost::numeric)::text as priced_cost,
  (u.billed_cost::numeric / nullif(u.quantity::numeric, 0))::float8 as unit_cost,
  u.created_at::timestamptz as created_at,
  u.updated_at::timestamptz as updated_at
from ledger.usage u
join ledger.provider_bills bill on bill.account_id = u.account_id and bill.id = u.bill_id
left join ledger.initiatives i on i.account_id = u.account_id and i.id = u.initiative_id
-- A quantity of a file counts only where the bill does not count the same unit of the day itself.
where u.load_ref is null or not exists (
  select from ledger.usage own
  where own.account_id = u.account_id and own.bill_id = u.bill_id and own.used_on = u.used_on and own.unit = u.unit
    and own.load_ref is null)
-- The AI part of a bill of which nothing is recorded.
union all
select
  bill.account_id, -2 * bill.id, bill.id, bill.connection_id, bill.month::date, bill.month::date, null, false, true,
  null, null, null, null, 'usage', bill.currency::text, bill.ai_amount_cents::bigint, null, null, null, null, null,
  bill.created_at::timestamptz, bill.updated_at::timestamptz
from ledger.provider_bills bill
where bill.ai_amount_cents <> 0 and not exists (
  select from ledger.usage u where u.account_id = bill.account_id and u.bill_id = bill.id and u.load_ref is null)
-- The other part of such a bill, and what the rows of a bill lack.
union all
select
  bill.account_id, -2 * bill.id - 1, bill.id, bill.connection_id, bill.month::date, bill.month::date, null, false, false,
  null, null, null, null, 'usage', bill.currency::text, bill.amount_cents::bigint - coalesce(used.cents, bill.ai_amount_cents::bigint), null, null, null, null, null,
  bill.created_at::timestamptz, bill.updated_at::timestamptz
from ledger.provider_bills bill
cross join lateral (
  select sum(coalesce(u.cost_cents, 0))::bigint as cents
  from ledger.usage u
  where u.account_id = bill.account_id and u.bill_id = bill.id and u.load_ref is null
) as used
where bill.amount_cents <> coalesce(used.cents, bill.ai_amount_cents);
