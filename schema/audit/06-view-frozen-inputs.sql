-- The inputs that were frozen with each approved formula entry, unfolded by this engine's own reading of the JSON, once
-- for each input and not for each of its fields.
create view frozen_inputs as
select
  value_entry_id,
  initiative_id,
  input.key as variable,
  unnest(from_json(input.value, '{
    "label": "varchar",
    "value": "double",
    "source_type": "varchar",
    "metric_key": "varchar",
    "observation_id": "bigint",
    "assumption_id": "bigint",
    "assumption_key": "varchar",
    "assumption_scope": "varchar",
    "requires_confirmation": "boolean",
    "assumption_effective_from": "varchar",
    "observed_at": "varchar",
    "input_period_start": "varchar",
    "input_period_end": "varchar",
    "expression": "varchar"
  }'))
from (
  select value_entry_id, initiative_id,
    unnest(map_entries(json_extract(try_cast(input_snapshot as json), '$.inputs')::map(varchar, json))) as input
  from reported_value
  where formula_id is not null
);
