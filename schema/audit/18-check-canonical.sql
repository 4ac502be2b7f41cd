-- Reads reported_value, metric_readings. JSON is in its one canonical form, as far as its upper levels show it: an object
-- with sorted keys, no key twice, and no white space outside of texts.
with documents as (
  select 'reported_value' as subject, 'value_entry_id ' || value_entry_id as place, 'input_snapshot' as name,
    input_snapshot as content
  from reported_value where input_snapshot <> '{}'
  union all
  select 'metric_readings', 'observation_id ' || observation_id, 'dimensions', dimensions
  from metric_readings where dimensions <> '{}'
), parsed as (
  select *, try_cast(content as json) as parsed from documents
)
select subject, place, 'it is a JSON object in canonical form' as expected, name || ' is not' as found
from parsed
where coalesce(json_type(parsed), '') <> 'OBJECT'
  -- Written anew without white space most are as they were, which is cheaper to see than that texts alone have some.
  or (json(parsed) <> content and regexp_matches(regexp_replace(content, '"(\\.|[^"\\])*"', '', 'g'), '\s'))
  or list_bool_or(list_transform(
    list_concat(
      json_keys(parsed, ['$', '$.inputs']),
      json_keys(parsed, '$.inputs.*')
    ),
    lambda keys: len(list_filter(keys, lambda key, place: key <= keys[place - 1])) > 0
  ))
order by subject, place;
