-- A month is locked if and only if its status is `locked`. A locked month has a time of locking; a reopened month has a time
-- and a reason. A cost is locked if and only if its month has the status `locked` in the ledger's control totals. The month
-- of a cost is the month of its period's first day; without a period, the month of its booking day (`created_at`).
set variable reads = ['costs', 'accounting_periods'];
with months as (
  select month from control_months where status = 'locked'
), entries as (
  select cost_entry_id, locked, date_trunc('month', coalesce(utc_day(period_start), utc_day(created_at)))::date as month
  from costs
)
select 'costs' as subject, 'cost_entry_id ' || cost_entry_id as place,
  'locked' as figure, (month in (from months))::varchar as expected, locked::varchar as found,
  'a cost is locked exactly when its month is, ' || strftime(month, '%Y-%m') as rule
from entries
where locked <> (month in (from months))
union all
select 'accounting_periods', 'month ' || month, 'locked', (status = 'locked')::varchar, locked::varchar,
  'a month is locked exactly when its status is locked'
from accounting_periods where locked <> (status = 'locked')
union all
select 'accounting_periods', 'month ' || month, 'locked_at', 'an instant', null, 'a locked month has a time of locking'
from accounting_periods where status = 'locked' and locked_at is null
union all
select 'accounting_periods', 'month ' || month, 'reopened_at and reopen_reason', 'an instant and a reason',
  said(make_timestamp(epoch_us(reopened_at))) || ' and ' || said(reopen_reason), 'a reopened month has a time and a reason'
from accounting_periods where status = 'reopened' and (reopened_at is null or reopen_reason is null)
order by all;
