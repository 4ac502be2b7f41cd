-- Every row of every file has the id of the snapshot row.
set variable reads = ['sums/month_sums', 'sums/month_sums_unsettled'];
select name as subject, 'snapshot_id ' || snapshot_id as place, 'rows' as figure, '0' as expected, count(*)::varchar as found,
  'every row has the id of the snapshot row' as rule
from (
  select parse_filename(filename, true) as name, snapshot_id
  from read_parquet('sums/*.parquet', filename = true, union_by_name = true)
)
where snapshot_id not in (select snapshot_id from snapshot)
group by all
order by all;
