-- The price effect and the own effect are both set or both empty, and add up to the amount.
set variable reads = ['reported_value'];
select
  'reported_value' as subject,
  'value_entry_id ' || value_entry_id as place,
  'vendor_price_effect_cents and own_changes_effect_cents' as figure,
  'both or neither, together ' || amount_cents as expected,
  said(vendor_price_effect_cents) || ' and ' || said(own_changes_effect_cents) as found,
  'the effects add up to amount_cents' as rule
from reported_value
where (vendor_price_effect_cents is null) <> (own_changes_effect_cents is null)
  or vendor_price_effect_cents::hugeint + own_changes_effect_cents <> amount_cents
order by value_entry_id;
