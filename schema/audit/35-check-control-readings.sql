-- The file equals the control totals of the ledger's table, for each role and source: rows, counts of filled columns, and a
-- fingerprint of all columns that are copied unchanged. Each metric has the name that the ledger has.
set variable reads = ['metric_readings'];
with metrics as (
  select figures['id'] as metric_id, figures['metric_key'] as metric_key, figures['name_digest'] as name_digest
  from control_rows where base_table = 'metrics'
), totals as (
  select
    role || ' ' || source_type as place,
    count(*)::varchar as rows,
    min(observation_id)::varchar as least_id,
    max(observation_id)::varchar as greatest_id,
    count(initiative_id)::varchar as with_initiative,
    count(currency)::varchar as with_currency,
    count(period_start)::varchar as with_period_start,
    count(period_end)::varchar as with_period_end,
    count(observed_at)::varchar as with_observation,
    count(sample_size)::varchar as with_sample_size,
    coalesce(sum(sample_size), 0)::varchar as sample_sizes,
    count(*) filter (where is_estimated)::varchar as estimated,
    count(connection_id)::varchar as with_connection,
    count(notes)::varchar as with_notes,
    count(recorded_by_id)::varchar as with_recorder,
    count(baseline_method)::varchar as with_method,
    count(time_study_id)::varchar as with_time_study,
    sum(digest_bits(concat_ws(chr(31),
      observation_id, coalesce(metric_id, ''), coalesce(initiative_id::varchar, ''), role,
      -- The shortest text that reads back as the same number, as in schema/control/observations.sql.
      if(abs(value) >= 1e15 and abs(value) < 9e18, trunc(value)::bigint::varchar, regexp_replace(value::varchar, '\.0$', '')),
      coalesce(currency, ''), coalesce(utc_day(period_start)::varchar, ''), coalesce(utc_day(period_end)::varchar, ''),
      coalesce(epoch_us(observed_at)::varchar, ''), coalesce(sample_size::varchar, ''), is_estimated::varchar, source_type,
      coalesce(connection_id::varchar, ''), dimensions, coalesce(notes, ''), coalesce(recorded_by_id::varchar, ''),
      coalesce(baseline_method, ''), coalesce(time_study_id::varchar, ''))))::varchar as fingerprint
  from metric_readings left join metrics using (metric_key)
  group by role, source_type
), found as (
  unpivot totals on columns(* exclude (place)) into name name value content
), expected as (
  select place, entry.key as name, entry.value as content
  from (
    select figures['role'] || ' ' || figures['source_type'] as place, unnest(map_entries(figures)) as entry
    from control_rows where base_table = 'observations')
  where entry.key not in ('role', 'source_type')
), compared as (
  -- The ledger states a figure once. If it states two, both are shown, and the file's equals neither.
  select place, name, max(in_file) as found,
    if(min(in_ledger) = max(in_ledger), min(in_ledger), min(in_ledger) || ' and ' || max(in_ledger)) as expected
  from (
    select place, name, content as in_ledger, null as in_file from expected
    union all
    select place, name, null, content from found)
  group by place, name
), broken as (
  select place, name as figure, expected, found, 'the file holds what the ledger held' as rule
  from compared where expected is distinct from found
  union all
  select 'observation_id ' || observation_id, 'metric_name', 'the name in the ledger of metric_key ' || metric_key, metric_name,
    'a metric is named as the ledger names it'
  from metric_readings left join metrics using (metric_key)
  where md5(metric_name) is distinct from name_digest
)
select 'metric_readings' as subject, * from broken order by all;
