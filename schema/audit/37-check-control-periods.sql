-- The months in accounting_periods equal the months in the ledger's control totals, field by field.
set variable reads = ['accounting_periods'];
with sides as (
  select true as is_ledger, month, status, locked_at, locked_by_id, reopened_at, reopened_by_id, reason_digest from control_months
  union all
  select false, month, status, epoch_us(locked_at), locked_by_id, epoch_us(reopened_at), reopened_by_id, md5(reopen_reason)
  from accounting_periods
), cells as (
  select month, is_ledger, unnest([
    {'name': 'status', 'content': status},
    {'name': 'locked_at', 'content': make_timestamp(locked_at)::varchar},
    {'name': 'locked_by_id', 'content': locked_by_id::varchar},
    {'name': 'reopened_at', 'content': make_timestamp(reopened_at)::varchar},
    {'name': 'reopened_by_id', 'content': reopened_by_id::varchar},
    {'name': 'digest of reopen_reason', 'content': reason_digest}
  ], recursive := true)
  from sides
), counted as (
  select month, count(*) filter (where is_ledger) as expected, count(*) filter (where not is_ledger) as found
  from sides group by month
), compared as (
  select month, name, max(content) filter (where is_ledger) as expected, max(content) filter (where not is_ledger) as found,
    bool_or(is_ledger) and not bool_and(is_ledger) as are_both
  from cells group by month, name
), broken as (
  select month, 'rows' as figure, expected::varchar as expected, found::varchar as found from counted where expected <> found
  union all
  select month, name, expected, found from compared where are_both and expected is distinct from found
)
select 'accounting_periods' as subject, 'month ' || month as place, figure, expected, found,
  'the file holds what the ledger held' as rule
from broken order by all;
