-- Reads ai_spend. Each kind of row states what its kind states and leaves the rest empty; amounts are US dollars; only an
-- attributed row has its AI part booked, never more than was billed; one that is attributed has initiatives, an
-- unbooked one has none.
with broken as (
  select s.*, 'a month is named by its first day' as expected, 'month is ' || month as found
  from ai_spend s where day(month) <> 1
  union all
  select s.*, 'every amount is in USD', 'currency is ' || currency from ai_spend s where currency <> 'USD'
  union all
  select s.*, 'a provider bill names a connection and its platform, nothing else does',
    'they are ' || said(connection_id) || ' and ' || said(platform)
  from ai_spend s
  where (source_kind = 'provider_bill') <> (connection_id is not null) or (connection_id is null) <> (platform is null)
    or (connection_id is null and connection_name is not null)
  union all
  select s.*, 'an AI vendor has a name, nothing else does', 'vendor_name is ' || said(vendor_name)
  from ai_spend s where (source_kind = 'ai_vendor') <> (vendor_name is not null)
  union all
  select s.*, 'cards state what was charged and booked, and nothing else does so alone',
    'they are ' || concat_ws(' ', said(attribution), said(set_aside), said(initiative_count), said(ai_billed_cents), said(ai_booked_cents))
  from ai_spend s
  where (source_kind = 'card') <> (attribution is null) or (source_kind = 'card') <> (set_aside is null)
    or (source_kind = 'card') <> (initiative_count is null) or (source_kind = 'card') <> (ai_billed_cents is null)
    or (source_kind = 'card') <> (ai_booked_cents is null)
  union all
  select s.*, 'a provider bill states no booking of the whole, anything else does', 'booked_cents is ' || said(booked_cents)
  from ai_spend s where (source_kind = 'provider_bill') <> (booked_cents is null)
  union all
  select s.*, 'at most ' || if(attribution = 'attributed', ai_billed_cents, 0) || ' of AI is booked',
    'ai_booked_cents is ' || ai_booked_cents
  from ai_spend s
  where ai_booked_cents > ai_billed_cents and attribution = 'attributed' or ai_booked_cents <> 0 and attribution <> 'attributed'
  union all
  select s.*, 'what is ' || attribution || ' has ' || if(attribution = 'attributed', 'initiatives', 'none'),
    'initiative_count is ' || initiative_count
  from ai_spend s
  where (attribution = 'attributed' and initiative_count < 1) or (attribution = 'unbooked' and initiative_count <> 0)
    or initiative_count < 0
)
select 'ai_spend' as subject, concat_ws(' ', month, source_kind, connection_id, vendor_name) as place, expected, found
from broken order by all;
