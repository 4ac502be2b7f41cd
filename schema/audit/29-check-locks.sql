-- Reads costs, accounting_periods. A month is locked exactly when its status says so, and then was locked at some time; a
-- reopened one was reopened for a reason. A cost is locked exactly when its month is: that of its period, else that of
-- its booking day.
with months as (
  select month from control_months where status = 'locked'
), entries as (
  select cost_entry_id, locked, date_trunc('month', coalesce(utc_day(period_start), utc_day(created_at)))::date as month
  from costs
)
select 'costs' as subject, 'cost_entry_id ' || cost_entry_id as place,
  strftime(month, '%Y-%m') || if(month in (from months), ' is locked', ' is not locked') as expected,
  'locked is ' || locked as found
from entries
where locked <> (month in (from months))
union all
select 'accounting_periods', 'month ' || month, 'it is locked exactly when its status is locked', 'locked is ' || locked || ' of ' || status
from accounting_periods where locked <> (status = 'locked')
union all
select 'accounting_periods', 'month ' || month, 'a locked month was locked at some time', 'locked_at is empty'
from accounting_periods where status = 'locked' and locked_at is null
union all
select 'accounting_periods', 'month ' || month, 'a reopened month was reopened at some time, for a reason',
  'they are ' || said(make_timestamp(epoch_us(reopened_at))) || ' and ' || said(reopen_reason)
from accounting_periods where status = 'reopened' and (reopened_at is null or reopen_reason is null)
order by all;
