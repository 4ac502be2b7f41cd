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
), listed as (
  select *,
    list_concat(
      [json_keys(parsed), json_keys(parsed, '$.inputs')],
      list_transform(map_values(try_cast(json_extract(parsed, '$.inputs') as map(varchar, json))), lambda input: json_keys(input))
    ) as key_lists
  from parsed
)
select subject, place, 'it is a JSON object in canonical form' as expected, name || ' is not' as found
from listed
where coalesce(json_type(parsed), '') <> 'OBJECT'
  or regexp_matches(regexp_replace(content, '"(\\.|[^"\\])*"', '', 'g'), '\s')
  or len(list_filter(key_lists, lambda keys: keys <> list_sort(list_distinct(keys)))) > 0
order by subject, place;
