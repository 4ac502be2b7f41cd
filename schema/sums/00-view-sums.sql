-- Views of the sums by initiative and month, and of the reporting tables with whose rows they must agree.

-- The UTC day of an instant, independent of the session's time zone.
create macro utc_day(instant) as make_timestamp(epoch_us(instant))::date;
-- Converts an amount to dollars, with exact decimals; halves round away from zero. A rate has ten decimals.
create macro dollars(cents, usd_rate) as
  round(cents::decimal(17, 0) * usd_rate::decimal(20, 10))::bigint;
-- A cell as text for a finding.
create macro said(content) as coalesce(content::varchar, 'empty');

-- An amount that is 0 is empty in the file.
create view month_sums as select * replace (
  coalesce(cash_value_cents, 0) as cash_value_cents, coalesce(capacity_cents, 0) as capacity_cents,
  coalesce(capacity_realized_cents, 0) as capacity_realized_cents, coalesce(capex_cents, 0) as capex_cents,
  coalesce(opex_cents, 0) as opex_cents)
from read_parquet('sums/month_sums.parquet');
create view month_sums_unsettled as from read_parquet('sums/month_sums_unsettled.parquet');
create view costs as from read_parquet('costs.parquet');
create view reported_value as from read_parquet('reported_value.parquet');
create view reported_totals as from read_parquet('reported_totals.parquet');
create view snapshot as from read_parquet('snapshot.parquet');

-- A month is cut where the last 12 months, 3 years or 5 years begin in it, and after the day of the snapshot.
create table cuts as
select as_of + 1 as first_day from snapshot
union all
select (as_of - to_years(years))::date + 1 from snapshot, (values (1), (3), (5)) as windows (years);

-- The segments of a day: a row for each day on which an entry begins. `late_day` is empty unless the day is after the snapshot's.
create table segments as
select day, month, from_day, if(day > (select as_of from snapshot), day, null) as late_day,
  least(last_day(month), (select min(first_day) - 1 from cuts where first_day > from_day)) as through_day
from (
  select day, month, greatest(month, coalesce((select max(first_day) from cuts where first_day <= day), month)) as from_day
  from (
    select distinct day, date_trunc('month', day)::date as month
    from (select utc_day(period_start) as day from costs union all select utc_day(period_start) from reported_value)
    where day is not null
  )
);

-- What each entry adds, in dollars.
create view entries as
select initiative_id, utc_day(period_start) as day,
  if(entry_type = 'capacity', 0, coalesce(usd_amount_cents, 0)) as cash_value_cents,
  if(entry_type = 'capacity', coalesce(usd_amount_cents, 0), 0) as capacity_cents,
  if(entry_type = 'capacity_realized', coalesce(usd_amount_cents, 0), 0) as capacity_realized_cents,
  0 as capex_cents, 0 as opex_cents,
  case
    when usd_amount_cents is null then null
    when currency = 'USD' then vendor_price_effect_cents
    else dollars(vendor_price_effect_cents, usd_rate)
  end as vendor_price_effect_cents
from reported_value
union all
select initiative_id, utc_day(period_start), 0, 0, 0,
  if(cost_category = 'capex', coalesce(usd_amount_cents, 0), 0), if(cost_category = 'opex', coalesce(usd_amount_cents, 0), 0), null
from costs;

-- The amounts without a dollar figure, or with a provisional one.
create view unsettled_entries as
select initiative_id, utc_day(period_start) as day,
  if(entry_type = 'capacity', 'capacity_left_out', 'cash_left_out') as kind, currency, amount_cents
from reported_value
where currency <> 'USD' and usd_amount_cents is null
union all
select initiative_id, utc_day(period_start), 'cost_left_out', currency, amount_cents
from costs
where currency <> 'USD' and usd_amount_cents is null
union all
select initiative_id, utc_day(period_start), 'provisional_cost', 'USD', usd_amount_cents
from costs
where currency <> 'USD' and usd_rate_provisional;

-- The sums of any rows that have these columns.
create macro added(latest) as {latest_day: max(latest), cash_value_cents: sum(cash_value_cents)::bigint,
  capacity_cents: sum(capacity_cents)::bigint, capacity_realized_cents: sum(capacity_realized_cents)::bigint,
  capex_cents: sum(capex_cents)::bigint, opex_cents: sum(opex_cents)::bigint,
  vendor_price_effect_cents: sum(vendor_price_effect_cents)::bigint};
create view found_sums as
select initiative_id, month, from_day, through_day, frees, {latest_day: latest_day, cash_value_cents: cash_value_cents,
  capacity_cents: capacity_cents, capacity_realized_cents: capacity_realized_cents, capex_cents: capex_cents,
  opex_cents: opex_cents, vendor_price_effect_cents: vendor_price_effect_cents} as amounts
from month_sums;
