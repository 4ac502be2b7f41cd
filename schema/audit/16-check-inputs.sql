-- value_inputs has exactly the inputs stored with the value entries, with all their fields. First, digests of a thousand
-- groups of entries are compared, because these always fit into memory. Then the first ten groups that differ are compared
-- input by input.
set variable reads = ['reported_value', 'value_inputs'];
with frozen as (
  select value_entry_id % 1000 as part, count(*) as inputs, sum(hash(f)) as digest from frozen_inputs f group by part
), listed as (
  select value_entry_id % 1000 as part, count(*) as inputs, sum(hash(i)) as digest
  from (select * exclude (snapshot_id) from value_inputs) i group by part
), wrong as (
  select part from (from frozen union all select part, -inputs, -digest from listed)
  group by part having sum(inputs) <> 0 or sum(digest) <> 0
  order by part limit 10
), expected as (
  from frozen_inputs where value_entry_id % 1000 in (from wrong)
), found as (
  from value_inputs where value_entry_id % 1000 in (from wrong)
), compared as (
  select f.value_entry_id, f.variable, f, i
  from expected f join found i on i.value_entry_id = f.value_entry_id and i.variable = f.variable
), cells as (
  select value_entry_id, variable, unnest([
    {'name': 'initiative_id', 'expected': f.initiative_id::varchar, 'found': i.initiative_id::varchar},
    {'name': 'label', 'expected': f.label, 'found': i.label},
    {'name': 'value', 'expected': f.value::varchar, 'found': i.value::varchar},
    {'name': 'source_type', 'expected': f.source_type, 'found': i.source_type},
    {'name': 'metric_key', 'expected': f.metric_key, 'found': i.metric_key},
    {'name': 'observation_id', 'expected': f.observation_id::varchar, 'found': i.observation_id::varchar},
    {'name': 'assumption_id', 'expected': f.assumption_id::varchar, 'found': i.assumption_id::varchar},
    {'name': 'assumption_key', 'expected': f.assumption_key, 'found': i.assumption_key},
    {'name': 'assumption_scope', 'expected': f.assumption_scope, 'found': i.assumption_scope},
    {'name': 'requires_confirmation', 'expected': f.requires_confirmation::varchar, 'found': i.requires_confirmation::varchar},
    {'name': 'assumption_effective_from', 'expected': f.assumption_effective_from, 'found': i.assumption_effective_from},
    {'name': 'observed_at', 'expected': f.observed_at, 'found': i.observed_at},
    {'name': 'input_period_start', 'expected': f.input_period_start, 'found': i.input_period_start},
    {'name': 'input_period_end', 'expected': f.input_period_end, 'found': i.input_period_end},
    {'name': 'expression', 'expected': f.expression, 'found': i.expression}
  ], recursive := true)
  from compared
), counted as (
  select value_entry_id, variable, count(*) filter (where is_frozen) as expected, count(*) filter (where not is_frozen) as found
  from (
    select value_entry_id, variable, true as is_frozen from expected
    union all
    select value_entry_id, variable, false from found)
  group by value_entry_id, variable
), broken as (
  select value_entry_id, variable, 'rows' as figure, expected::varchar as expected, found::varchar as found
  from counted where expected <> found
  union all
  select value_entry_id, variable, name, expected, found
  from cells where expected is distinct from found
)
select 'value_inputs' as subject, 'value_entry_id ' || value_entry_id || ' ' || variable as place, figure, expected, found,
  'the inputs are those frozen with the entry' as rule
from broken order by all;
