-- Reads costs. A cost is locked exactly when its month is: that of its period, else that of its booking day.
with months as (
  select content::date as month from control where base_table = 'accounting_months' and name = 'month'
), entries as (
  select cost_entry_id, locked, date_trunc('month', coalesce(utc_day(period_start), utc_day(created_at)))::date as month
  from costs
)
select 'costs' as subject, 'cost_entry_id ' || cost_entry_id as place,
  strftime(month, '%Y-%m') || if(month in (from months), ' is locked', ' is not locked') as expected,
  'locked is ' || locked as found
from entries
where locked <> (month in (from months))
order by cost_entry_id;
