-- Adds the changed rows of one table to `changes`, in the form of the response and sorted by key. An added or removed row has
-- all columns, a changed row only the columns that differ. Run once for every table, in published order.
insert into changes
with said as (
  select
    change,
    :order as ordering,
    to_json({:key}) as key,
    list_filter([:cells], lambda cell: change <> 'changed' or list_contains(columns_changed, cell.name)) as cells
  from changed_:table
)
select
  ':table',
  change,
  said.key,
  reason,
  if(change = 'added', null, to_json(map(list_transform(cells, lambda cell: cell.name), list_transform(cells, lambda cell: cell.was)))),
  if(change = 'removed', null, to_json(map(list_transform(cells, lambda cell: cell.name), list_transform(cells, lambda cell: cell.is_now)))),
  coalesce(effects, '[]'),
  coalesce(moved, '[]')
from said
left join notes on notes.table_name = ':table' and notes.key::varchar = said.key::varchar
order by ordering;
