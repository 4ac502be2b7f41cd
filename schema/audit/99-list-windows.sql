-- Reads reported_totals. Both sides of every window of the portfolio; for each window, how many initiatives have it, what
-- they add up to and a digest of all they say; and the first thousand windows of initiatives that differ. Figures are cash
-- value, freed capacity, cost, net value, roi, capex, opex and vendor price effect, of initiatives the first four.
with said_totals as (
  select
    place,
    coalesce(expected.scope, found.scope) as scope,
    coalesce(expected.window_key, found.window_key) as window_key,
    expected,
    found,
    if(expected.window_key is null, null, concat_ws(' ', expected.cash_value_cents, expected.freed_capacity_cents, expected.cost_cents,
      expected.net_value_cents, said(expected.roi), said(expected.capex_cents), said(expected.opex_cents),
      said(expected.vendor_price_effect_cents))) as expected_figures,
    if(found.window_key is null, null, concat_ws(' ', found.cash_value_cents, found.freed_capacity_cents, found.cost_cents,
      found.net_value_cents, said(found.roi), said(found.capex_cents), said(found.opex_cents),
      said(found.vendor_price_effect_cents))) as found_figures
  from compared_totals
), together as (
  select window_key,
    concat_ws(' ', count(expected_figures), sum(expected.cash_value_cents), sum(expected.freed_capacity_cents),
      sum(expected.cost_cents), sum(expected.net_value_cents), sum(digest_bits(place || ' ' || expected_figures))) as expected,
    concat_ws(' ', count(found_figures), sum(found.cash_value_cents), sum(found.freed_capacity_cents),
      sum(found.cost_cents), sum(found.net_value_cents), sum(digest_bits(place || ' ' || found_figures))) as found
  from said_totals where scope = 'initiative'
  group by window_key
), listed as (
  select 1 as part, place, said(expected_figures) as expected, said(found_figures) as found from said_totals where scope = 'portfolio'
  union all
  select 2, 'initiatives ' || window_key, expected, found from together
  union all
  from (
    select 3, place, said(expected_figures), said(found_figures) from said_totals
    where scope = 'initiative' and expected_figures is distinct from found_figures
    order by place limit 1000)
)
select place, expected, found from listed order by part, place;
