-- The parts of a recorded date or ISO 8601 time; empty if the text has another form.
create macro time_parts(content) as regexp_extract(content,
  '^(\d{4}-\d{2}-\d{2})(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?)(?:Z|([+-](?:0\d|1[0-4]))(?::?([0-5]\d))?)?)?$',
  ['day', 'time', 'hours', 'minutes']);
-- The UTC day of a recorded date or time, as the ledger reads it; a time without an offset is in UTC. A cast would take
-- other texts than PostgreSQL does, and a time without an offset in the time zone of the session.
create macro recorded_day(content) as list_transform([time_parts(content)], lambda parts: (
  try_cast(parts.day as date) + coalesce(try_cast(nullif(parts.time, '') as time), time '00:00:00')
    - to_minutes(coalesce(try_cast(parts.hours as integer), 0) * 60
      + if(parts.hours[1] = '-', -1, 1) * coalesce(try_cast(parts.minutes as integer), 0)))::date)[1];

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
