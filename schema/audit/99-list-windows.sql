-- Lists expected and found figures in three parts. Part 1: every window of the portfolio. Part 2: for each window, the number
-- of initiatives, the sums of their first four figures, and a digest of all eight. Part 3: the first thousand windows of
-- initiatives that differ. The eight figures are cash value, freed capacity, cost, net value, roi, capex, opex and vendor
-- price effect.
with sides as (
  select 'expected' as side, initiative_id, window_key, cash_value_cents, freed_capacity_cents, cost_cents, net_value_cents, roi,
    capex_cents, opex_cents, vendor_price_effect_cents
  from expected_totals where scope = 'initiative'
  union all
  select 'found', initiative_id, window_key, cash_value_cents, freed_capacity_cents, cost_cents, net_value_cents, roi,
    capex_cents, opex_cents, vendor_price_effect_cents
  from reported_totals where scope = 'initiative'
), sums as (
  select side, window_key,
    concat_ws(' ', count(*), sum(cash_value_cents), sum(freed_capacity_cents), sum(cost_cents), sum(net_value_cents),
      sum(digest_bits('initiative ' || said(initiative_id) || ' ' || window_key || ' '
        || said_figures(cash_value_cents, freed_capacity_cents, cost_cents, net_value_cents, roi, capex_cents, opex_cents,
          vendor_price_effect_cents)))) as content
  from sides
  group by side, window_key
), together as (
  select window_key,
    coalesce(max(content) filter (where side = 'expected'), '0') as expected,
    coalesce(max(content) filter (where side = 'found'), '0') as found
  from sums
  group by window_key
), said_totals as (
  select
    place,
    coalesce(expected.scope, found.scope) as scope,
    if(expected.window_key is null, null, said_figures(expected.cash_value_cents, expected.freed_capacity_cents,
      expected.cost_cents, expected.net_value_cents, expected.roi, expected.capex_cents, expected.opex_cents,
      expected.vendor_price_effect_cents)) as expected_figures,
    if(found.window_key is null, null, said_figures(found.cash_value_cents, found.freed_capacity_cents,
      found.cost_cents, found.net_value_cents, found.roi, found.capex_cents, found.opex_cents,
      found.vendor_price_effect_cents)) as found_figures
  from compared_totals
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
