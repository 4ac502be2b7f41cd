-- The inputs of each approved value entry that has a formula, one row per input, from the JSON stored with the entry. The
-- JSON of an entry is parsed only once, not once for each field.
create view frozen_inputs as
select value_entry_id, initiative_id, input.key as variable, unnest(input.value)
from (
  select value_entry_id, initiative_id, unnest(map_entries(try(from_json(input_snapshot, '{"inputs": "map(varchar, struct('
    'label varchar, '
    'value double, '
    'source_type varchar, '
    'metric_key varchar, '
    'observation_id bigint, '
    'assumption_id bigint, '
    'assumption_key varchar, '
    'assumption_scope varchar, '
    'requires_confirmation boolean, '
    'assumption_effective_from varchar, '
    'observed_at varchar, '
    'input_period_start varchar, '
    'input_period_end varchar, '
    'expression varchar'
  '))"}')).inputs)) as input
  from reported_value
  where formula_id is not null
);
