-- The inputs that were frozen with each approved formula entry, unfolded by this engine's own reading of the JSON.
create view frozen_inputs as
select
  value_entry_id,
  initiative_id,
  input.key as variable,
  input.value ->> '$.label' as label,
  (input.value ->> '$.value')::double as value,
  input.value ->> '$.source_type' as source_type,
  input.value ->> '$.metric_key' as metric_key,
  (input.value ->> '$.observation_id')::bigint as observation_id,
  (input.value ->> '$.assumption_id')::bigint as assumption_id,
  input.value ->> '$.assumption_key' as assumption_key,
  input.value ->> '$.assumption_scope' as assumption_scope,
  (input.value ->> '$.requires_confirmation')::boolean as requires_confirmation,
  input.value ->> '$.assumption_effective_from' as assumption_effective_from,
  input.value ->> '$.observed_at' as observed_at,
  input.value ->> '$.input_period_start' as input_period_start,
  input.value ->> '$.input_period_end' as input_period_end,
  input.value ->> '$.expression' as expression
from (
  select value_entry_id, initiative_id,
    unnest(map_entries(json_extract(try_cast(input_snapshot as json), '$.inputs')::map(varchar, json))) as input
  from reported_value
  where formula_id is not null
);
