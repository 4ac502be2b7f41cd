-- Schemas, value types and the functions that every table leans on.

create schema ledger; -- what an account records; readable one account at a time
create schema vault; -- what must never be served: credentials, e-mail addresses, token digests
create schema service; -- functions and triggers
create schema reporting; -- the views that files, API and assistant read
create schema ops; -- what servers and workers write about themselves

-- JSON numbers stay exact below 2^53, so a larger amount is refused where it would enter.
create domain ledger.cents as bigint check (value between -9007199254740991 and 9007199254740991);
create domain ledger.currency as text check (value ~ '^[A-Z]{3}$');
-- Windows run from the first entry to the last: one mistyped year would make thousands of empty ones.
create domain ledger.day as date check (value between date '1990-01-01' and date '2199-12-31');
create domain ledger.month as date check (value between date '1990-01-01' and date '2199-12-31' and extract(day from value) = 1);
create domain ledger.instant as timestamptz check (value >= timestamptz '1970-01-01 00:00Z' and value < timestamptz '2200-01-01 00:00Z');
-- USD per unit of the currency, ten decimals. In PostgreSQL's order NaN stands above every number.
create domain ledger.rate as numeric(20, 10) check (value > 0 and value <> 'NaN');
create domain ledger.figure as double precision check (value = value and value not in ('Infinity', '-Infinity') and value <> 'NaN');

-- The account that this transaction may see; null, and so nothing, when it was never set.
create function service.current_account() returns bigint
language sql stable parallel safe
return nullif(current_setting('app.account_id', true), '')::bigint;

-- Stamps a written row. The transaction id is taken first and the clock second: no stamp is then older than the
-- start that the horizon below sees, so a list that stops at the horizon never passes over a slow writer.
-- A prepared transaction shows when it was prepared, later than its stamps, and no longer when it began; but it keeps
-- its locks. So the minute in which it began is held as one: 1129467731 marks the locks that mean this.
create function service.stamp() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  perform pg_current_xact_id();
  perform pg_advisory_xact_lock_shared(1129467731, floor(extract(epoch from transaction_timestamp()) / 60)::integer);
  new.updated_at := clock_timestamp();
  return new;
end $$;

-- The moment before which no running writer can still stamp a row. The clock is read before looking: a writer that
-- starts after the look stamps later than that. The activity is cached for a transaction, so it is cleared first.
create function service.write_horizon() returns timestamptz
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  before_looking timestamptz := clock_timestamp();
begin
  perform pg_stat_clear_snapshot();
  return least(
    before_looking,
    (select min(xact_start) from pg_stat_activity
      where backend_xid is not null and pid <> pg_backend_pid() and datname = current_database()),
    (select to_timestamp(min(objid::bigint) * 60) from pg_locks
      where locktype = 'advisory' and classid = 1129467731 and objsubid = 2 and pid is null -- of no session: prepared
        and database = (select oid from pg_database where datname = current_database()))
  );
end $$;
grant usage, create on schema service to cf_stats;
alter function service.write_horizon() owner to cf_stats;
revoke create on schema service from cf_stats;

-- JSON in its one canonical form: keys in C order at every level, no white space, numbers as jsonb prints them,
-- escapes only where JSON demands them.
create function service.canonical_json(document jsonb) returns text
language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$
begin
  case jsonb_typeof(document)
    when 'object' then
      return (
        select '{' || coalesce(string_agg(to_json(key)::text || ':' || service.canonical_json(value), ',' order by key collate "C"), '') || '}'
        from jsonb_each(document));
    when 'array' then
      return (
        select '[' || coalesce(string_agg(service.canonical_json(value), ',' order by place), '') || ']'
        from jsonb_array_elements(document) with ordinality as element (value, place));
    else
      return document::text;
  end case;
end $$;

create function service.sha256_hex(content text) returns text
language sql immutable strict parallel safe
return encode(sha256(convert_to(content, 'UTF8')), 'hex');

-- The UTC day named by a recorded date or ISO 8601 time, null when it names none.
create function service.utc_day(recorded text) returns date
language sql immutable strict parallel safe set timezone = 'UTC' set datestyle = 'ISO'
as $$
  -- The digits first: PostgreSQL would also take 'now', which names another day tomorrow.
  select case when recorded ~ '^\d{4}-\d{2}-\d{2}' and pg_input_is_valid(recorded, 'timestamptz') then recorded::timestamptz::date end
$$;

-- What makes two names the same: no blanks around them, no difference of case in any script, whatever the
-- database's own collation.
create function service.name_key(name text) returns text
language sql immutable strict parallel safe
return casefold(btrim(name, E' \t\r\n\u00a0') collate pg_unicode_fast);

-- The month in which a day falls, named by its first day.
create function service.month_of(day date) returns date
language sql immutable strict parallel safe
return date_trunc('month', day::timestamp)::date;

-- Views are re-created as a whole, so what may be done with them is settled before they exist.
grant usage on schema reporting to cf_reader, cf_writer, cf_backup;
alter default privileges in schema reporting grant select on tables to cf_reader, cf_writer, cf_backup;
