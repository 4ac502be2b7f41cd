-- Dollars for one unit of a currency on each published day: a day on which the dollar and that currency both have a
-- rate. It is computed through the euro and rounded once, to ten decimals. The dollar's own row is the rate of the euro.
-- With forty decimals before the rounding, the result is always rounded correctly.
create view reporting.daily_rates with (security_invoker = true) as
select
  published.day,
  case published.currency when 'USD' then 'EUR' else published.currency end as currency,
  round(
    published.usd_per_euro::numeric(60, 40) / case published.currency when 'USD' then 1 else published.units_per_euro end,
    10) as usd_rate
from (
  select
    day::date as day,
    currency::text as currency,
    units_per_euro,
    max(units_per_euro) filter (where currency = 'USD') over (partition by day) as usd_per_euro
  from ledger.euro_reference_rates
) as published
where published.usd_per_euro is not null;
