-- Dollars for one unit of a currency, on each day on which the dollar and that currency both have a published rate. The rate
-- is computed through the euro and rounded once, to ten decimals; the division before has forty decimals, enough to round
-- always correctly. The published rate of the dollar gives the row of the euro.
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
