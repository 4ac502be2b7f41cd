-- JSON is canonical: an object with sorted, unique keys and no white space outside of texts. Keys are checked on the upper
-- levels only.
set variable reads = ['reported_value', 'metric_readings'];
with documents as not materialized (
  select 'reported_value' as subject, 'value_entry_id ' as key, value_entry_id as id, 'input_snapshot' as name,
    input_snapshot as content
  from reported_value where input_snapshot <> '{}'
  union all
  select 'metric_readings', 'observation_id ', observation_id, 'dimensions', dimensions
  from metric_readings where dimensions <> '{}'
), examples as materialized (
  -- Millions of documents have only a few different lists of keys, so the order is checked in one document for each list.
  -- Writing a document again without white space and comparing is cheaper than searching for white space outside of texts.
  select subject, min(id) as id from documents group by subject, json_shape(content), is_json_object(content)
), suspects as materialized (
  select json_shape(content) as shape from (from documents where (subject, id) in (from examples))
  where not is_json_object(content) or has_unsorted_keys(try_cast(content as json))
)
select subject, key || id as place, name as figure, 'a JSON object in canonical form' as expected,
  'another form' as found, 'keys are sorted and unique, without white space outside of texts' as rule
from (select *, try_cast(content as json) as parsed from documents where json_shape(content) in (from suspects))
where coalesce(json_type(parsed), '') <> 'OBJECT'
  or (json(parsed) <> content and regexp_matches(regexp_replace(content, '"(\\.|[^"\\])*"', '', 'g'), '\s'))
  or has_unsorted_keys(parsed)
order by subject, place;
