-- Reads reported_totals. Every window with both sides: cash value, freed capacity, cost, net value, roi, capex, opex and
-- vendor price effect.
select
  place,
  concat_ws(' ', expected.cash_value_cents, expected.freed_capacity_cents, expected.cost_cents, expected.net_value_cents,
    said(expected.roi), said(expected.capex_cents), said(expected.opex_cents), said(expected.vendor_price_effect_cents)) as expected,
  concat_ws(' ', found.cash_value_cents, found.freed_capacity_cents, found.cost_cents, found.net_value_cents,
    said(found.roi), said(found.capex_cents), said(found.opex_cents), said(found.vendor_price_effect_cents)) as found
from compared_totals
order by coalesce(expected.scope, found.scope), coalesce(expected.initiative_id, found.initiative_id), place;
