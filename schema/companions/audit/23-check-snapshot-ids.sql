-- Every row of every companion has the id of the snapshot row.
set variable reads = ['companions/api_initiatives', 'companions/api_cost_entries', 'companions/api_value_entries',
  'companions/api_metrics', 'companions/api_observations', 'companions/api_decisions', 'companions/api_integrations',
  'companions/api_ai_usage', 'companions/api_usage_sums', 'companions/api_budget_spend', 'companions/api_plan_value',
  'companions/api_vendor_names'];
select name as subject, 'snapshot_id ' || snapshot_id as place, 'rows' as figure, '0' as expected, count(*)::varchar as found,
  'every row has the id of the snapshot row' as rule
from (
  select parse_filename(filename, true) as name, snapshot_id
  from read_parquet('companions/*.parquet', filename = true, union_by_name = true)
)
where snapshot_id not in (select snapshot_id from snapshot)
group by all
order by all;
