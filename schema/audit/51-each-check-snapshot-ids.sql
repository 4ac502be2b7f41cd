-- Every row of every table has the id of the snapshot row.
with bearers as (
:each
  select ':table' as subject, snapshot_id, count(*) as rows from :table group by snapshot_id
:end
)
select subject, 'snapshot_id ' || snapshot_id as place, 'rows' as figure, '0' as expected, rows::varchar as found,
  'every row has the id of the snapshot row' as rule
from bearers where snapshot_id not in (select snapshot_id from snapshot)
order by all;
