-- The frozen inputs of a value entry, printed and read by few operations. Queries over their fields took a third of the time of
-- a large ledger. Each function gives what it gave before: a document of another form still goes through the query.

-- Frozen inputs of known fields with plain values are printed field by field, in the order of the names. A list of fields is
-- cheaper than a query that sorts them.
create or replace function service.canonical_json(document jsonb) returns text
language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$
declare
  inputs constant jsonb := document -> 'inputs';
  keys jsonb;
  input jsonb;
  fields text;
  printed text := '';
  fits boolean;
begin
  if document = '{}' then
    return '{}';
  end if;
  fits := jsonb_typeof(inputs) = 'object' and document ? 'expression'
    and jsonb_typeof(document -> 'expression') = 'string' and document - array['expression', 'inputs'] = '{}';
  if fits then
    keys := jsonb_path_query_array(inputs, '$.keyvalue().key');
    for i in 0 .. jsonb_array_length(keys) - 1 loop
      input := inputs -> (keys ->> i);
      fits := (i = 0 or (keys ->> i) collate "C" > (keys ->> (i - 1))) and case when jsonb_typeof(input) = 'object' then
        input - array['assumption_effective_from', 'assumption_id', 'assumption_key', 'assumption_scope', 'baseline_method', 'expression',
          'input_period_end', 'input_period_start', 'label', 'metric_key', 'observation_id', 'observed_at', 'requires_confirmation',
          'source_type', 'value'] = '{}' else false end;
      exit when not fits;
      fields := concat_ws(',',
        '"assumption_effective_from":' || (input -> 'assumption_effective_from')::text,
        '"assumption_id":' || (input -> 'assumption_id')::text,
        '"assumption_key":' || (input -> 'assumption_key')::text,
        '"assumption_scope":' || (input -> 'assumption_scope')::text,
        '"baseline_method":' || (input -> 'baseline_method')::text,
        '"expression":' || (input -> 'expression')::text,
        '"input_period_end":' || (input -> 'input_period_end')::text,
        '"input_period_start":' || (input -> 'input_period_start')::text,
        '"label":' || (input -> 'label')::text,
        '"metric_key":' || (input -> 'metric_key')::text,
        '"observation_id":' || (input -> 'observation_id')::text,
        '"observed_at":' || (input -> 'observed_at')::text,
        '"requires_confirmation":' || (input -> 'requires_confirmation')::text,
        '"source_type":' || (input -> 'source_type')::text,
        '"value":' || (input -> 'value')::text);
      -- A value that is no plain one has a bracket.
      fits := strpos(fields, '{') = 0 and strpos(fields, '[') = 0;
      exit when not fits;
      printed := concat(printed, case when i > 0 then ',' end, (keys -> i)::text, ':{', fields, '}');
    end loop;
    if fits then
      return concat('{"expression":', (document -> 'expression')::text, ',"inputs":{', printed, '}}');
    end if;
  end if;
  case jsonb_typeof(document)
    when 'object' then
      return (
        select '{' || string_agg(to_json(a.key)::text || ':' || case jsonb_typeof(a.value)
          when 'object' then (
            select '{' || coalesce(string_agg(to_json(b.key)::text || ':' || case jsonb_typeof(b.value)
              when 'object' then (
                select '{' || coalesce(string_agg(to_json(c.key)::text || ':' || case
                  when jsonb_typeof(c.value) in ('object', 'array') then service.canonical_json(c.value)
                  else c.value::text end, ',' order by c.key collate "C"), '') || '}'
                from jsonb_each(b.value) as c)
              when 'array' then service.canonical_json(b.value)
              else b.value::text end, ',' order by b.key collate "C"), '') || '}'
            from jsonb_each(a.value) as b)
          when 'array' then service.canonical_json(a.value)
          else a.value::text end, ',' order by a.key collate "C") || '}'
        from jsonb_each(document) as a);
    when 'array' then
      return (
        select '[' || coalesce(string_agg(service.canonical_json(value), ',' order by place), '') || ']'
        from jsonb_array_elements(document) with ordinality as element (value, place));
    else
      return document::text;
  end case;
end $$;

-- The ids are read as one list of numbers. A document with anything else at their place, or with more than two of them, goes
-- through the query, which also sorts them.
create or replace function service.input_observations(input_snapshot text) returns bigint[]
language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$
declare
  document jsonb;
  list text;
  ids bigint[];
begin
  if input_snapshot = '{}' then
    return '{}';
  end if;
  document := input_snapshot;
  if jsonb_typeof(document -> 'inputs') = 'object' then
    list := jsonb_path_query_array(document, '$.inputs.*.observation_id');
    list := substr(list, 2, length(list) - 2);
    if translate(list, '0123456789, ', '') = '' then
      ids := '{' || list || '}';
      if cardinality(ids) < 2 or cardinality(ids) = 2 and ids[1] < ids[2] then
        return ids;
      end if;
    end if;
  end if;
  return (
    select coalesce(array_agg(distinct (value ->> 'observation_id')::bigint order by (value ->> 'observation_id')::bigint), '{}')
    from jsonb_each(document -> 'inputs')
    where value ->> 'observation_id' is not null);
end $$;

-- Most formulas have at most one baseline.
create or replace function service.input_baseline_methods(input_snapshot text) returns text[]
language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$
declare
  document jsonb;
  baselines jsonb;
begin
  if input_snapshot = '{}' then
    return '{}';
  end if;
  document := input_snapshot;
  if jsonb_typeof(document -> 'inputs') = 'object' then
    baselines := jsonb_path_query_array(document, '$.inputs.* ? (@.source_type == "baseline")');
    if jsonb_array_length(baselines) < 2 then
      return case when baselines = '[]' then '{}' else array[coalesce(baselines -> 0 ->> 'baseline_method', 'estimate')] end;
    end if;
  end if;
  return (
    select coalesce(array_agg(distinct method order by method), '{}')
    from (
      select coalesce(value ->> 'baseline_method', 'estimate') as method
      from jsonb_each(document -> 'inputs')
      where value ->> 'source_type' = 'baseline') as baseline);
end $$;

-- A plain day is its own UTC day; `utc_day` sets the time zone for each call, which costs more than the rest.
create or replace function service.input_measured_on(input_snapshot text) returns date
language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$
declare
  document jsonb;
  measured jsonb;
  recorded text;
begin
  if input_snapshot = '{}' then
    return null;
  end if;
  document := input_snapshot;
  if jsonb_typeof(document -> 'inputs') = 'object' then
    measured := jsonb_path_query_array(document,
      '$.inputs.* ? (@.source_type == "baseline" && (@.baseline_method == "history" || @.baseline_method == "time_study"))');
    if measured = '[]' then
      return null;
    elsif jsonb_array_length(measured) = 1 then
      recorded := coalesce(measured -> 0 ->> 'input_period_start', measured -> 0 ->> 'observed_at');
      return case
        when recorded like '____-__-__' and translate(recorded, '0123456789', '') = '--' and pg_input_is_valid(recorded, 'date')
        then recorded::date else service.utc_day(recorded) end;
    end if;
  end if;
  return (
    select max(service.utc_day(coalesce(value ->> 'input_period_start', value ->> 'observed_at')))
    from jsonb_each(document -> 'inputs')
    where value ->> 'source_type' = 'baseline' and value ->> 'baseline_method' in ('history', 'time_study'));
end $$;
