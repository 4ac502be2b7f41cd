-- Reads initiatives, reported_value. The basis follows from the frozen baselines: the weakest speaks for the entry, and a
-- measurement that begins on or after go-live is worth an estimate.
with baselines as (
  select value_entry_id, initiative_id, try_cast(input as json) ->> '$.baseline_method' as method,
    utc_day(try_cast(coalesce(input ->> '$.input_period_start', input ->> '$.observed_at') as timestamptz)) as measured_on
  from (
    select value_entry_id, initiative_id, unnest(json_extract(try_cast(input_snapshot as json), '$.inputs.*')) as input
    from reported_value
  )
  where input ->> '$.source_type' = 'baseline'
), weakest as (
  select value_entry_id, max(case
      when coalesce(method, 'estimate') in ('benchmark', 'estimate') then 3
      when method in ('history', 'time_study') and measured_on >= utc_day(went_live_at) then 3
      when method = 'without_ai_sample' then 2
      else 1 end) as strength
  from baselines join initiatives using (initiative_id)
  group by value_entry_id
), expected as (
  select v.value_entry_id, v.basis, case
      when v.is_estimated then 'estimated'
      else ['none', 'measured', 'reconstructed', 'estimated'][coalesce(w.strength, 0) + 1] end as derived
  from reported_value v left join weakest w using (value_entry_id)
)
select 'reported_value' as subject, 'value_entry_id ' || value_entry_id as place,
  'its inputs make it ' || derived as expected, 'basis is ' || said(basis) as found
from expected
where basis is distinct from derived
order by value_entry_id;
