-- The basis follows from the baselines stored with the entry: the weakest baseline decides. A measurement that begins on or
-- after go-live counts as an estimate. An entry with is_estimated is always `estimated`.
set variable reads = ['initiatives', 'reported_value'];
with weakest as (
  -- Computed within each entry: grouping the inputs of all entries would need memory for each entry. The JSON is parsed
  -- once, not once for each field.
  select value_entry_id, basis, is_estimated, list_max(list_transform(
    map_values(try(from_json(input_snapshot, '{"inputs": "map(varchar, struct('
      'source_type varchar, baseline_method varchar, input_period_start varchar, observed_at varchar))"}')).inputs),
    lambda input: case
      when input.source_type is distinct from 'baseline' then null
      when coalesce(input.baseline_method, 'estimate') in ('benchmark', 'estimate') then 3
      when input.baseline_method in ('history', 'time_study')
        and recorded_day(coalesce(input.input_period_start, input.observed_at)) >= utc_day(went_live_at) then 3
      when input.baseline_method = 'without_ai_sample' then 2
      else 1 end)) as strength
  from reported_value left join initiatives using (initiative_id)
), expected as (
  select value_entry_id, basis, case
      when is_estimated then 'estimated'
      else ['none', 'measured', 'reconstructed', 'estimated'][coalesce(strength, 0) + 1] end as derived
  from weakest
)
select 'reported_value' as subject, 'value_entry_id ' || value_entry_id as place,
  'basis' as figure, derived as expected, basis as found, 'the basis follows from the frozen baselines' as rule
from expected
where basis is distinct from derived
order by value_entry_id;
