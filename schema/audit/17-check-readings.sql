-- Reads value_inputs, metric_readings. The readings are exactly those that inputs name; only a baseline has a method, only
-- some sources have a recorder, and a figure of a time study is good until the ledger's study says.
with named as (
  select distinct observation_id from value_inputs where observation_id is not null
), studies as (
  select figures['id']::bigint as time_study_id,
    (figures['ended_on']::date + to_months(figures['restudy_months']::integer))::date as valid_until
  from control_rows where base_table = 'time_studies'
), broken as (
  select observation_id, 'an input names it' as expected, 'the row is missing' as found
  from named anti join metric_readings using (observation_id)
  union all
  select observation_id, 'no input names it', 'there is a row'
  from metric_readings anti join named using (observation_id)
  union all
  select observation_id, 'only a baseline has a method', 'baseline_method is ' || baseline_method || ' of a ' || role
  from metric_readings where baseline_method is not null and role <> 'baseline'
  union all
  select observation_id, 'only a figure from a time study names one', 'time_study_id is ' || time_study_id || ' from ' || source_type
  from metric_readings where time_study_id is not null and source_type <> 'time_study'
  union all
  select observation_id, 'it is good until ' || said(studies.valid_until), 'valid_until is ' || said(r.valid_until)
  from metric_readings r left join studies using (time_study_id)
  where r.valid_until is distinct from studies.valid_until
)
select 'metric_readings' as subject, 'observation_id ' || observation_id as place, expected, found from broken
order by observation_id, expected;
