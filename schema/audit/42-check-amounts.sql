-- Reads reported_value, costs, reported_totals. Every amount of every window is what its entries add up to.
with amounts as (
  select place, unnest([
    {'name': 'cash value', 'expected': expected.cash_value_cents, 'found': found.cash_value_cents},
    {'name': 'freed capacity', 'expected': expected.freed_capacity_cents, 'found': found.freed_capacity_cents},
    {'name': 'cost', 'expected': expected.cost_cents, 'found': found.cost_cents},
    {'name': 'net value', 'expected': expected.net_value_cents, 'found': found.net_value_cents},
    {'name': 'capex', 'expected': expected.capex_cents, 'found': found.capex_cents},
    {'name': 'opex', 'expected': expected.opex_cents, 'found': found.opex_cents},
    {'name': 'vendor price effect', 'expected': expected.vendor_price_effect_cents, 'found': found.vendor_price_effect_cents}
  ], recursive := true)
  from compared_totals
  where expected.window_key is not null and found.window_key is not null
)
select
  'reported_totals' as subject,
  place,
  'the rows add up to ' || said(expected) as expected,
  name || ' is ' || coalesce(found || ' cents', 'empty') as found
from amounts
where expected is distinct from found
order by place, name;
