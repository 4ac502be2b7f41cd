-- Every row of every table bears the id of the snapshot row.
select ':table' as subject, 'snapshot_id ' || snapshot_id as place, 'rows' as figure, '0' as expected, rows::varchar as found,
  'every row bears the id of the snapshot row' as rule
from (select snapshot_id, count(*) as rows from :table group by snapshot_id)
where snapshot_id not in (select snapshot_id from snapshot)
