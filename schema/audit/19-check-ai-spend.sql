-- A row has only the columns of its kind (provider bill, AI vendor or card); other columns are empty. Amounts are US dollars.
-- Only an attributed row has a booked AI part, at most the billed amount. An attributed row has initiatives, an unbooked
-- row has none.
set variable reads = ['ai_spend'];
with broken as (
  select s.*, 'month' as figure, date_trunc('month', month)::date::varchar as expected, month::varchar as found,
    'a month is named by its first day' as rule
  from ai_spend s where day(month) <> 1
  union all
  select s.*, 'currency', 'USD', currency, 'every amount is in US dollars' from ai_spend s where currency <> 'USD'
  union all
  select s.*, 'connection_id, platform and connection_name', if(source_kind = 'provider_bill', 'those of a connection', 'all empty'),
    concat_ws(', ', said(connection_id), said(platform), said(connection_name)),
    'a provider bill names a connection and its platform, nothing else does'
  from ai_spend s
  where (source_kind = 'provider_bill') <> (connection_id is not null) or (connection_id is null) <> (platform is null)
    or (connection_id is null and connection_name is not null)
  union all
  select s.*, 'vendor_name', if(source_kind = 'ai_vendor', 'a name', null), vendor_name, 'an AI vendor has a name, nothing else does'
  from ai_spend s where (source_kind = 'ai_vendor') <> (vendor_name is not null)
  union all
  select s.*, 'attribution, set_aside, initiative_count, ai_billed_cents and ai_booked_cents',
    if(source_kind = 'card', 'all empty', 'none empty'),
    concat_ws(', ', said(attribution), said(set_aside), said(initiative_count), said(ai_billed_cents), said(ai_booked_cents)),
    'these columns are empty for cards, and filled for every other kind'
  from ai_spend s
  where (source_kind = 'card') <> (attribution is null) or (source_kind = 'card') <> (set_aside is null)
    or (source_kind = 'card') <> (initiative_count is null) or (source_kind = 'card') <> (ai_billed_cents is null)
    or (source_kind = 'card') <> (ai_booked_cents is null)
  union all
  select s.*, 'booked_cents', if(source_kind = 'provider_bill', null, 'an amount'), booked_cents::varchar,
    'booked_cents is empty for a provider bill, and filled for every other kind'
  from ai_spend s where (source_kind = 'provider_bill') <> (booked_cents is null)
  union all
  select s.*, 'ai_booked_cents', if(attribution = 'attributed', 'at most ' || ai_billed_cents || ' cents', '0'), ai_booked_cents::varchar,
    'only an attributed row has its AI part booked, never more than was billed'
  from ai_spend s
  where ai_booked_cents > ai_billed_cents and attribution = 'attributed' or ai_booked_cents <> 0 and attribution <> 'attributed'
  union all
  select s.*, 'initiative_count', case attribution when 'attributed' then 'at least 1' when 'unbooked' then '0' else 'at least 0' end,
    initiative_count::varchar, 'an attributed row has initiatives, an unbooked one has none'
  from ai_spend s
  where (attribution = 'attributed' and initiative_count < 1) or (attribution = 'unbooked' and initiative_count <> 0)
    or initiative_count < 0
)
select 'ai_spend' as subject, concat_ws(' ', month, source_kind, connection_id, vendor_name) as place, figure, expected, found, rule
from broken order by all;
