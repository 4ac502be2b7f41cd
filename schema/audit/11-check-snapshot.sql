-- There is one snapshot row, and it agrees with the account and the moment.
set variable reads = ['snapshot'];
with facts as (
  select
    s.*,
    account.*,
    (select version from description) as declared_version,
    (select coalesce(sum(rows.content::bigint), 0)
      from control sample join control rows using (base_table, row)
      where base_table = 'initiatives' and sample.name = 'is_sample' and sample.content = 'true' and rows.name = 'rows'
    ) as sample_initiatives
  from snapshot s cross join control_account account
), compared as (
  select unnest([
    -- The builder sets these variables. In a run by hand they are not set, and the files are not compared with them.
    {'fact': 'snapshot_id', 'found': snapshot_id,
      'expected': coalesce(getvariable('snapshot_id'), strftime(make_timestamp(epoch_us(generated_at)), '%Y%m%dT%H%M%SZ'))},
    {'fact': 'generated_at', 'found': epoch_us(generated_at)::varchar,
      'expected': coalesce(getvariable('generated_at'), epoch_us(generated_at))::varchar},
    {'fact': 'schema_version', 'found': schema_version, 'expected': declared_version},
    {'fact': 'as_of', 'found': as_of::varchar, 'expected': utc_day(generated_at)::varchar},
    {'fact': 'account_id', 'found': account_id::varchar, 'expected': coalesce(getvariable('account_id'), id)::varchar},
    {'fact': 'account_id', 'found': account_id::varchar, 'expected': id::varchar},
    {'fact': 'digest of account_name', 'found': md5(account_name), 'expected': name_digest},
    {'fact': 'fiscal_year_start_month', 'found': fiscal_year_start_month::varchar, 'expected': fiscal_year_start_month_1::varchar},
    {'fact': 'sample_initiatives_excluded', 'found': sample_initiatives_excluded::varchar, 'expected': sample_initiatives::varchar}
  ], recursive := true)
  from facts
)
select distinct 'snapshot' as subject, 'its row' as place, fact as figure, expected, found,
  'the row states the account and the moment of the snapshot' as rule
from compared where found is distinct from expected
union all
select 'snapshot', 'the table', 'rows', '1', count(*)::varchar, 'one row describes the snapshot' from snapshot having count(*) <> 1
union all
select 'snapshot', 'control.json', 'accounts', '1', count(*)::varchar, 'a snapshot is of one account' from control_account
having count(*) <> 1
order by all;
