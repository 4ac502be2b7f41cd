-- What a load pays for each row, made cheaper. Every rule stays as it was: only the way to its answer is shorter.

-- Most entries name a vendor that exists, so it is looked up first. An insert that met the existing name cost ten times as
-- much. A vendor that another writer creates at the same time is not seen yet; the insert then waits for that writer.
create or replace function service.resolve_vendor() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  key text := service.name_key(new.vendor_name);
begin
  if coalesce(key, '') = '' then
    new.vendor_id := null;
    return new;
  end if;
  select coalesce(v.merged_into_id, v.id) into new.vendor_id
    from ledger.vendors v
    where v.account_id = new.account_id and v.name_key = key
    for share;
  if not found then
    insert into ledger.vendors (account_id, name) values (new.account_id, btrim(new.vendor_name))
      on conflict (account_id, name_key) do nothing;
    select coalesce(v.merged_into_id, v.id) into strict new.vendor_id
      from ledger.vendors v
      where v.account_id = new.account_id and v.name_key = key
      for share;
  end if;
  return new;
end $$;

-- The functions of frozen inputs run several times for each value entry, and most entries have none. So each answers for
-- '{}' first. As plpgsql they keep their plans; a function in SQL was planned again for each call.
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
        select '{' || string_agg(to_json(key)::text || ':'
          || case when jsonb_typeof(value) in ('object', 'array') then service.canonical_json(value) else value::text end,
          ',' order by key collate "C") || '}'
        from jsonb_each(document));
    when 'array' then
      return (
        select '[' || coalesce(string_agg(service.canonical_json(value), ',' order by place), '') || ']'
        from jsonb_array_elements(document) with ordinality as element (value, place));
    else
      return document::text;
  end case;
end $$;

create or replace function service.canonicalise_snapshot() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  if new.input_snapshot <> '{}' then
    new.input_snapshot := service.canonical_json(new.input_snapshot::jsonb);
  end if;
  return new;
end $$;

create or replace function service.sha256_hex(content text) returns text
language plpgsql immutable strict parallel safe
as $$
begin
  return pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(content, 'UTF8')), 'hex');
end $$;

create or replace function service.input_observations(input_snapshot text) returns bigint[]
language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$
begin
  if input_snapshot = '{}' then
    return '{}';
  end if;
  return (
    select coalesce(array_agg(distinct (value ->> 'observation_id')::bigint order by (value ->> 'observation_id')::bigint), '{}')
    from jsonb_each(input_snapshot::jsonb -> 'inputs')
    where value ->> 'observation_id' is not null);
end $$;

create or replace function service.input_baseline_methods(input_snapshot text) returns text[]
language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$
begin
  if input_snapshot = '{}' then
    return '{}';
  end if;
  return (
    select coalesce(array_agg(distinct method order by method), '{}')
    from (
      select coalesce(value ->> 'baseline_method', 'estimate') as method
      from jsonb_each(input_snapshot::jsonb -> 'inputs')
      where value ->> 'source_type' = 'baseline') as baseline);
end $$;

create or replace function service.input_measured_on(input_snapshot text) returns date
language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$
begin
  if input_snapshot = '{}' then
    return null;
  end if;
  return (
    select max(service.utc_day(coalesce(value ->> 'input_period_start', value ->> 'observed_at')))
    from jsonb_each(input_snapshot::jsonb -> 'inputs')
    where value ->> 'source_type' = 'baseline' and value ->> 'baseline_method' in ('history', 'time_study'));
end $$;

create or replace function service.inputs_well_formed(input_snapshot text) returns boolean
language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$
begin
  if input_snapshot = '{}' then
    return true;
  end if;
  return jsonb_typeof(input_snapshot::jsonb -> 'expression') is not distinct from 'string'
    and jsonb_typeof(input_snapshot::jsonb -> 'inputs') is not distinct from 'object'
    and not exists (
      select
      from jsonb_each(input_snapshot::jsonb -> 'inputs') as input (variable, frozen),
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

-- Triggers that would change nothing are not called. PostgreSQL tests these conditions itself, for a tenth of a call.
create or replace trigger categorise_cost before insert or update on ledger.cost_entries
  for each row when (new.cost_category is null) execute function service.categorise_cost();
do $$
declare
  target text;
begin
  foreach target in array array['cost_entries', 'provider_bills', 'vendor_bills', 'card_charges'] loop
    execute format('create or replace trigger settle_2_provisional before insert or update on ledger.%I
      for each row when (new.usd_rate_provisional is distinct from false) execute function service.settle_provisional()', target);
    if target <> 'card_charges' then
      execute format('create or replace trigger settle_3_ai_part before insert or update on ledger.%I
        for each row when (num_nonnulls(new.ai_amount_cents, new.ai_usd_amount_cents) > 0)
        execute function service.settle_ai_part()', target);
    end if;
  end loop;
end $$;
