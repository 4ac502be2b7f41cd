-- A period begins and ends at midnight UTC, and its last day is its first day or later. Its month is the month of its first
-- day. Without a first day, a row has no month.
set variable reads = ['reported_value', 'metric_readings', 'costs'];
with entries as not materialized (
  select 'reported_value' as subject, 'value_entry_id ' || value_entry_id as place, period_start, period_end, period_month
  from reported_value
  union all
  select 'costs', 'cost_entry_id ' || cost_entry_id, period_start, period_end, period_month from costs
  union all
  select 'metric_readings', 'observation_id ' || observation_id, period_start, period_end,
    date_trunc('month', utc_day(period_start))::date
  from metric_readings
), broken as (
  select subject, place, 'period_month' as figure, date_trunc('month', utc_day(period_start))::date::varchar as expected,
    period_month::varchar as found, 'the month is that of the first day' as rule
  from entries where period_month is distinct from date_trunc('month', utc_day(period_start))::date
  union all
  select subject, place, 'period_start and period_end', 'midnights in UTC',
    said(make_timestamp(epoch_us(period_start))) || ' to ' || said(make_timestamp(epoch_us(period_end))), null
  from entries where epoch_us(period_start) % 86400000000 <> 0 or epoch_us(period_end) % 86400000000 <> 0
  union all
  select subject, place, 'period_end', 'at least ' || utc_day(period_start), utc_day(period_end)::varchar,
    'a period ends on or after its first day'
  from entries where period_end < period_start
)
from broken order by all;
