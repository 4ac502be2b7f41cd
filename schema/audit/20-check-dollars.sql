-- Reads reported_value, costs, snapshot. A dollar entry is its own dollar figure; any other is its amount at its rate, to
-- the cent, or has neither; the rate comes with the days it was taken from, none of them yet to come.
with entries as not materialized (
  select 'reported_value' as subject, 'value_entry_id ' || value_entry_id as place, amount_cents, currency,
    usd_amount_cents, usd_rate, usd_rate_from, usd_rate_through, null as provisional
  from reported_value
  union all
  select 'costs', 'cost_entry_id ' || cost_entry_id, amount_cents, currency,
    usd_amount_cents, usd_rate, usd_rate_from, usd_rate_through, usd_rate_provisional
  from costs
), broken as (
  select subject, place, 'a currency is three capital letters' as expected, 'currency is ' || currency as found
  from entries where not regexp_full_match(currency, '[A-Z]{3}')
  union all
  select subject, place, 'a dollar entry has its own amount, ' || amount_cents, 'usd_amount_cents is ' || said(usd_amount_cents)
  from entries where currency = 'USD' and usd_amount_cents is distinct from amount_cents
  union all
  select subject, place, 'a dollar entry has no rate', 'usd_rate is ' || said(usd_rate)
  from entries where currency = 'USD' and usd_rate is not null
  union all
  select subject, place, 'amount and rate make ' || said(dollars(amount_cents, usd_rate)), 'usd_amount_cents is ' || said(usd_amount_cents)
  from entries where currency <> 'USD' and usd_amount_cents is distinct from dollars(amount_cents, usd_rate)
  union all
  select subject, place, 'a rate is above zero', 'usd_rate is ' || usd_rate
  from entries where usd_rate <= 0
  union all
  select subject, place, 'a rate comes with both its days, in order, and no day without a rate',
    'usd_rate is ' || said(usd_rate) || ' from ' || said(usd_rate_from) || ' through ' || said(usd_rate_through)
  from entries
  where (usd_rate is null) <> (usd_rate_from is null) or (usd_rate is null) <> (usd_rate_through is null)
    or usd_rate_from > usd_rate_through
  union all
  select subject, place, 'a rate is of days up to ' || as_of, 'usd_rate_through is ' || usd_rate_through
  from entries cross join snapshot where usd_rate_through > as_of
  union all
  select subject, place,
    case when currency = 'USD' then 'a dollar entry has no provisional rate' else 'without a rate nothing is provisional' end,
    'usd_rate_provisional is ' || said(provisional)
  from entries
  where subject = 'costs'
    and case when currency = 'USD' then provisional is not null
      else provisional is null or (provisional and usd_rate is null) end
)
from broken order by all;
