-- The rows of approved_value_amounts and cost_amounts in one view, for sums by initiative and month.
create view reporting.entry_amounts with (security_invoker = true) as
select
  account_id,
  initiative_id,
  is_sample,
  day,
  month,
  cash_value_cents,
  capacity_cents,
  capacity_realized_cents,
  0::bigint as capex_cents,
  0::bigint as opex_cents,
  vendor_price_effect_cents
from reporting.approved_value_amounts
union all
select account_id, initiative_id, is_sample, day, month, 0, 0, 0, capex_cents, opex_cents, null
from reporting.cost_amounts;
