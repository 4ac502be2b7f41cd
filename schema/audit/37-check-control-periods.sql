-- The months in accounting_periods equal the months in the ledger's control totals, field by field.
set variable reads = ['accounting_periods'];
with compared as (
  select coalesce(p.month, m.month) as month, p, m
  from accounting_periods p full join control_months m on m.month = p.month
), cells as (
  select month, unnest([
    {'name': 'status', 'expected': m.status, 'found': p.status},
    {'name': 'locked_at', 'expected': make_timestamp(m.locked_at)::varchar, 'found': make_timestamp(epoch_us(p.locked_at))::varchar},
    {'name': 'locked_by_id', 'expected': m.locked_by_id::varchar, 'found': p.locked_by_id::varchar},
    {'name': 'reopened_at', 'expected': make_timestamp(m.reopened_at)::varchar, 'found': make_timestamp(epoch_us(p.reopened_at))::varchar},
    {'name': 'reopened_by_id', 'expected': m.reopened_by_id::varchar, 'found': p.reopened_by_id::varchar},
    {'name': 'digest of reopen_reason', 'expected': m.reason_digest, 'found': md5(p.reopen_reason)}
  ], recursive := true)
  from compared where p.month is not null and m.month is not null
), broken as (
  select month, 'rows' as figure, '1' as expected, '0' as found from compared where p.month is null
  union all
  select month, 'rows', '0', '1' from compared where m.month is null
  union all
  select month, name, expected, found from cells where expected is distinct from found
)
select 'accounting_periods' as subject, 'month ' || month as place, figure, expected, found,
  'the file holds what the ledger held' as rule
from broken order by all;
