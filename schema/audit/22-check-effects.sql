-- Reads reported_value. The price effect and the own effect come together and add up to the amount.
select
  'reported_value' as subject,
  'value_entry_id ' || value_entry_id as place,
  'both effects or neither, adding up to ' || amount_cents as expected,
  'the effects are ' || said(vendor_price_effect_cents) || ' and ' || said(own_changes_effect_cents) as found
from reported_value
where (vendor_price_effect_cents is null) <> (own_changes_effect_cents is null)
  or vendor_price_effect_cents::hugeint + own_changes_effect_cents <> amount_cents
order by value_entry_id;
