-- Every row of every companion has the id of the snapshot row.
with strange as (
:each
  select ':name' as name, snapshot_id from :name where snapshot_id not in (select snapshot_id from snapshot)
:end
)
select name as subject, 'snapshot_id ' || snapshot_id as place, 'rows' as figure, '0' as expected, count(*)::varchar as found,
  'every row has the id of the snapshot row' as rule
from strange
group by all
order by all;
