-- The readings are exactly those that inputs reference. Only a baseline has a method, and only a reading from a time study
-- names a study. That reading is valid until the study's last day plus its restudy_months, as the ledger has them.
set variable reads = ['value_inputs', 'metric_readings'];
with named as (
  select distinct observation_id from value_inputs where observation_id is not null
), studies as (
  select figures['id']::bigint as time_study_id,
    (figures['ended_on']::date + to_months(figures['restudy_months']::integer))::date as valid_until
  from control_rows where base_table = 'time_studies'
), broken as (
  select observation_id, 'rows' as figure, '1' as expected, '0' as found, 'an input names the reading' as rule
  from named left join metric_readings r using (observation_id) where r.observation_id is null
  union all
  select observation_id, 'rows', '0', '1', 'no input names the reading'
  from metric_readings left join named using (observation_id) where named.observation_id is null
  union all
  select observation_id, 'baseline_method', null, baseline_method, 'only a baseline has a method'
  from metric_readings where baseline_method is not null and role <> 'baseline'
  union all
  select observation_id, 'time_study_id', null, time_study_id::varchar, 'only a figure from a time study names one'
  from metric_readings where time_study_id is not null and source_type <> 'time_study'
  union all
  select observation_id, 'valid_until', studies.valid_until::varchar, r.valid_until::varchar, 'the time study says until when it is valid'
  from metric_readings r left join studies using (time_study_id)
  where r.valid_until is distinct from studies.valid_until
)
select 'metric_readings' as subject, 'observation_id ' || observation_id as place, figure, expected, found, rule from broken
order by observation_id, figure;
