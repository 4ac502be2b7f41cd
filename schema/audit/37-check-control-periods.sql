-- Reads accounting_periods. The months are those that the ledger has, each as the ledger has it.
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
  select month, 'the ledger has that month' as expected, 'the row is missing' as found from compared where p.month is null
  union all
  select month, 'the ledger has no such month', 'there is a row' from compared where m.month is null
  union all
  select month, 'the ledger has ' || said(expected), name || ' is ' || said(found) from cells where expected is distinct from found
)
select 'accounting_periods' as subject, 'month ' || month as place, expected, found from broken order by all;
