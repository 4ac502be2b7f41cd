-- The frozen inputs of a value entry are read once for each question, and their canonical form is made by one statement.

-- A call for each object cost more than the objects: documents are an object of objects of objects, so three levels are
-- printed by one statement. Deeper values, and arrays, are printed by a call of their own.
create or replace function service.canonical_json(document jsonb) returns text
language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$
begin
  if document = '{}' then
    return '{}';
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

create or replace function service.inputs_well_formed(input_snapshot text) returns boolean
language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$
declare
  document jsonb;
begin
  if input_snapshot = '{}' then
    return true;
  end if;
  document := input_snapshot::jsonb;
  if jsonb_typeof(document -> 'expression') is distinct from 'string'
    or jsonb_typeof(document -> 'inputs') is distinct from 'object'
  then
    return false;
  end if;
  return not exists (
    select
    from jsonb_each(document -> 'inputs') as input (variable, frozen),
      lateral jsonb_each(case when jsonb_typeof(frozen) = 'object' then frozen else '{"": true}' end) as field (name, value)
    where jsonb_typeof(value) <> 'null' and not case name
      when 'value' then pg_input_is_valid(value::text, 'double precision')
      when 'observation_id' then value::text ~ '^[1-9][0-9]{0,17}$'
      when 'assumption_id' then value::text ~ '^[1-9][0-9]{0,17}$'
      when 'requires_confirmation' then jsonb_typeof(value) = 'boolean'
      when 'source_type' then value #>> '{}' in ('observation', 'baseline', 'assumption', 'period', 'derived')
      when 'assumption_scope' then value #>> '{}' in ('system', 'account')
      when 'baseline_method' then value #>> '{}' in ('history', 'time_study', 'without_ai_sample', 'benchmark', 'estimate')
      else name in ('label', 'metric_key', 'assumption_key', 'assumption_effective_from', 'observed_at',
          'input_period_start', 'input_period_end', 'expression') and jsonb_typeof(value) = 'string'
      end);
end $$;

-- An entry without a vendor, before and after, needs no search for one.
create or replace trigger resolve_vendor before insert or update of vendor_name on ledger.cost_entries
  for each row when (num_nonnulls(new.vendor_name, new.vendor_id) > 0) execute function service.resolve_vendor();
