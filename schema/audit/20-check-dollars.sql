-- The dollar figure of a dollar entry is its amount. The dollar figure of any other entry is its amount times the rate, to
-- the cent. Without a rate, the dollar figure is empty, too. A rate has the days from which it was computed, none in the future.
set variable reads = ['reported_value', 'costs', 'snapshot'];
with entries as not materialized (
  select 'reported_value' as subject, 'value_entry_id ' || value_entry_id as place, amount_cents, currency,
    usd_amount_cents, usd_rate, usd_rate_from, usd_rate_through, null as provisional
  from reported_value
  union all
  select 'costs', 'cost_entry_id ' || cost_entry_id, amount_cents, currency,
    usd_amount_cents, usd_rate, usd_rate_from, usd_rate_through, usd_rate_provisional
  from costs
), broken as (
  select subject, place, 'currency' as figure, '3 capital letters' as expected, currency as found, null as rule
  from entries where not regexp_full_match(currency, '[A-Z]{3}')
  union all
  select subject, place, 'usd_amount_cents', amount_cents::varchar, usd_amount_cents::varchar, 'a dollar entry has its own amount'
  from entries where currency = 'USD' and usd_amount_cents is distinct from amount_cents
  union all
  select subject, place, 'usd_rate', null, usd_rate::varchar, 'a dollar entry has no rate'
  from entries where currency = 'USD' and usd_rate is not null
  union all
  select subject, place, 'usd_amount_cents', dollars(amount_cents, usd_rate)::varchar, usd_amount_cents::varchar,
    'amount times rate'
  from entries where currency <> 'USD' and usd_amount_cents is distinct from dollars(amount_cents, usd_rate)
  union all
  select subject, place, 'usd_rate', 'a rate above 0', usd_rate::varchar, null
  from entries where usd_rate <= 0
  union all
  select subject, place, 'usd_rate, usd_rate_from and usd_rate_through', 'all three with the days in order, or all empty',
    concat_ws(', ', said(usd_rate), said(usd_rate_from), said(usd_rate_through)), 'a rate has the first and last day it is from'
  from entries
  where (usd_rate is null) <> (usd_rate_from is null) or (usd_rate is null) <> (usd_rate_through is null)
    or usd_rate_from > usd_rate_through
  union all
  select subject, place, 'usd_rate_through', 'at most ' || as_of, usd_rate_through::varchar, 'no rate is of a future day'
  from entries cross join snapshot where usd_rate_through > as_of
  union all
  select subject, place, 'usd_rate_provisional',
    case when currency = 'USD' then null when usd_rate is null then 'false' else 'true or false' end, provisional::varchar,
    case when currency = 'USD' then 'a dollar entry has no provisional rate'
      when usd_rate is null then 'without a rate nothing is provisional'
      else 'an entry with a rate says if the rate is provisional' end
  from entries
  where subject = 'costs'
    and case when currency = 'USD' then provisional is not null
      else provisional is null or (provisional and usd_rate is null) end
)
from broken order by all;
