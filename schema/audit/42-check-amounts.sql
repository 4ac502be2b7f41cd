-- Every amount of every window is the sum of its entries; `expected` is computed in 40-view-expected-totals.sql. If only one
-- side has a window, 41-check-windows.sql reports it.
set variable reads = ['reported_value', 'costs', 'reported_totals'];
with amounts as (
  select place, unnest([
    {'name': 'cash_value_cents', 'expected': expected.cash_value_cents, 'found': found.cash_value_cents},
    {'name': 'freed_capacity_cents', 'expected': expected.freed_capacity_cents, 'found': found.freed_capacity_cents},
    {'name': 'cost_cents', 'expected': expected.cost_cents, 'found': found.cost_cents},
    {'name': 'net_value_cents', 'expected': expected.net_value_cents, 'found': found.net_value_cents},
    {'name': 'capex_cents', 'expected': expected.capex_cents, 'found': found.capex_cents},
    {'name': 'opex_cents', 'expected': expected.opex_cents, 'found': found.opex_cents},
    {'name': 'vendor_price_effect_cents', 'expected': expected.vendor_price_effect_cents, 'found': found.vendor_price_effect_cents}
  ], recursive := true)
  from compared_totals
  where expected.window_key is not null and found.window_key is not null
)
select
  'reported_totals' as subject,
  place,
  name as figure,
  expected::varchar as expected,
  found::varchar as found,
  'the rows add up to it' as rule
from amounts
where expected is distinct from found
order by place, name;
