-- Schemas, value types, and the functions that many tables use.

create schema ledger; -- the records of the accounts; a reader sees one account at a time
create schema vault; -- never served: credentials, e-mail addresses, token digests
create schema service; -- functions and triggers
create schema reporting; -- the views that files, API and assistant read
create schema ops; -- the state of servers and workers

-- JSON numbers are exact below 2^53. A larger amount is refused on entry.
create domain ledger.cents as bigint check (value between -9007199254740991 and 9007199254740991);
-- Windows run from the first entry to the last. One mistyped year would make thousands of empty windows.
create domain ledger.day as date check (value between date '1990-01-01' and date '2199-12-31');
create domain ledger.month as date check (value between date '1990-01-01' and date '2199-12-31' and extract(day from value) = 1);
create domain ledger.instant as timestamptz check (value >= timestamptz '1970-01-01 00:00Z' and value < timestamptz '2200-01-01 00:00Z');
-- USD per unit of the currency, ten decimals. PostgreSQL sorts NaN above every number, so it needs its own check.
create domain ledger.rate as numeric(20, 10) check (value > 0 and value <> 'NaN');
create domain ledger.figure as double precision check (value = value and value not in ('Infinity', '-Infinity') and value <> 'NaN');

-- An unknown currency is refused on entry: an entry in it would wait for a rate for ever and be in no total. The codes are
-- those of ISO 4217, lists one and three (SIX, 2026-02-01): currencies, funds, units of account and metals, in use or
-- withdrawn, because an entry of 1999 may be in marks. XTS (for tests) and XXX (no currency) are left out. An enumeration
-- is looked up in a cache; a list of texts is searched for every row.
create type ledger.currency_code as enum (
  'ADP', 'AED', 'AFA', 'AFN', 'ALK', 'ALL', 'AMD', 'ANG', 'AOA', 'AOK', 'AON', 'AOR', 'ARA', 'ARP', 'ARS', 'ARY', 'ATS',
  'AUD', 'AWG', 'AYM', 'AZM', 'AZN', 'BAD', 'BAM', 'BBD', 'BDT', 'BEC', 'BEF', 'BEL', 'BGJ', 'BGK', 'BGL', 'BGN', 'BHD',
  'BIF', 'BMD', 'BND', 'BOB', 'BOP', 'BOV', 'BRB', 'BRC', 'BRE', 'BRL', 'BRN', 'BRR', 'BSD', 'BTN', 'BUK', 'BWP', 'BYB',
  'BYN', 'BYR', 'BZD', 'CAD', 'CDF', 'CHC', 'CHE', 'CHF', 'CHW', 'CLF', 'CLP', 'CNY', 'COP', 'COU', 'CRC', 'CSD', 'CSJ',
  'CSK', 'CUC', 'CUP', 'CVE', 'CYP', 'CZK', 'DDM', 'DEM', 'DJF', 'DKK', 'DOP', 'DZD', 'ECS', 'ECV', 'EEK', 'EGP', 'ERN',
  'ESA', 'ESB', 'ESP', 'ETB', 'EUR', 'FIM', 'FJD', 'FKP', 'FRF', 'GBP', 'GEK', 'GEL', 'GHC', 'GHP', 'GHS', 'GIP', 'GMD',
  'GNE', 'GNF', 'GNS', 'GQE', 'GRD', 'GTQ', 'GWE', 'GWP', 'GYD', 'HKD', 'HNL', 'HRD', 'HRK', 'HTG', 'HUF', 'IDR', 'IEP',
  'ILP', 'ILR', 'ILS', 'INR', 'IQD', 'IRR', 'ISJ', 'ISK', 'ITL', 'JMD', 'JOD', 'JPY', 'KES', 'KGS', 'KHR', 'KMF', 'KPW',
  'KRW', 'KWD', 'KYD', 'KZT', 'LAJ', 'LAK', 'LBP', 'LKR', 'LRD', 'LSL', 'LSM', 'LTL', 'LTT', 'LUC', 'LUF', 'LUL', 'LVL',
  'LVR', 'LYD', 'MAD', 'MDL', 'MGA', 'MGF', 'MKD', 'MLF', 'MMK', 'MNT', 'MOP', 'MRO', 'MRU', 'MTL', 'MTP', 'MUR', 'MVQ',
  'MVR', 'MWK', 'MXN', 'MXP', 'MXV', 'MYR', 'MZE', 'MZM', 'MZN', 'NAD', 'NGN', 'NIC', 'NIO', 'NLG', 'NOK', 'NPR', 'NZD',
  'OMR', 'PAB', 'PEH', 'PEI', 'PEN', 'PES', 'PGK', 'PHP', 'PKR', 'PLN', 'PLZ', 'PTE', 'PYG', 'QAR', 'RHD', 'ROK', 'ROL',
  'RON', 'RSD', 'RUB', 'RUR', 'RWF', 'SAR', 'SBD', 'SCR', 'SDD', 'SDG', 'SDP', 'SEK', 'SGD', 'SHP', 'SIT', 'SKK', 'SLE',
  'SLL', 'SOS', 'SRD', 'SRG', 'SSP', 'STD', 'STN', 'SUR', 'SVC', 'SYP', 'SZL', 'THB', 'TJR', 'TJS', 'TMM', 'TMT', 'TND',
  'TOP', 'TPE', 'TRL', 'TRY', 'TTD', 'TWD', 'TZS', 'UAH', 'UAK', 'UGS', 'UGW', 'UGX', 'USD', 'USN', 'USS', 'UYI', 'UYN',
  'UYP', 'UYU', 'UYW', 'UZS', 'VEB', 'VED', 'VEF', 'VES', 'VNC', 'VND', 'VUV', 'WST', 'XAD', 'XAF', 'XAG', 'XAU', 'XBA',
  'XBB', 'XBC', 'XBD', 'XCD', 'XCG', 'XDR', 'XEU', 'XFO', 'XFU', 'XOF', 'XPD', 'XPF', 'XPT', 'XRE', 'XSU', 'XUA', 'YDD',
  'YER', 'YUD', 'YUM', 'YUN', 'ZAL', 'ZAR', 'ZMK', 'ZMW', 'ZRN', 'ZRZ', 'ZWC', 'ZWD', 'ZWG', 'ZWL', 'ZWN', 'ZWR'
);

create domain ledger.currency as text check (value ~ '^[A-Z]{3}$');
-- Not valid, so that a dump adds it after the rows: a ledger that holds an unknown code can be restored. New rows are checked.
alter domain ledger.currency
  add constraint currency_of_iso_4217 check (pg_input_is_valid(value, 'ledger.currency_code')) not valid;

-- `load` refuses a cell in these words.
comment on domain ledger.currency is 'an ISO 4217 currency code, such as EUR';

-- The account of this transaction. Without one it is null, and the transaction sees no rows.
create function service.current_account() returns bigint
language sql stable parallel safe
return nullif(current_setting('app.account_id', true), '')::bigint;

-- Stamps a written row. It takes the transaction id first and reads the clock second. So no stamp is older than the
-- transaction start that the horizon below sees, and a list that stops at the horizon never misses a slow writer.
-- PostgreSQL shows when a prepared transaction was prepared, which is later than its stamps, and not when it began. But a
-- prepared transaction keeps its locks. So each writer locks the minute in which it began, in lock class 1129467731.
create function service.stamp() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  perform pg_current_xact_id();
  perform pg_advisory_xact_lock_shared(1129467731, floor(extract(epoch from transaction_timestamp()) / 60)::integer);
  new.updated_at := clock_timestamp();
  return new;
end $$;

-- The moment before which no running writer can still stamp a row. The clock is read before the writers: a writer that
-- starts afterwards stamps later. PostgreSQL caches the activity for a transaction, so the cache is cleared first.
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

-- The canonical form of JSON: keys in C order at every level, no white space, numbers as jsonb prints them, escapes only
-- where JSON requires them.
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

-- The UTC day of a recorded date or ISO 8601 time; null if the text is neither.
create function service.utc_day(recorded text) returns date
language sql immutable strict parallel safe set timezone = 'UTC' set datestyle = 'ISO'
as $$
  -- The digits first: PostgreSQL would also take 'now', which names another day tomorrow.
  select case when recorded ~ '^\d{4}-\d{2}-\d{2}' and pg_input_is_valid(recorded, 'timestamptz') then recorded::timestamptz::date end
$$;

-- Text without case, in every script and independent of the database's collation: `Straße` and `STRASSE` give the same.
-- PostgreSQL 18 has casefold; before it, ICU maps ß to SS and back to ss. The functions are chosen once, when this file is
-- applied, because stored keys must not change with an upgrade of the server.
do $$
declare
  has_casefold constant boolean := current_setting('server_version_num')::integer >= 180000;
  locale constant text := case when has_casefold then 'pg_unicode_fast' else '"und-x-icu"' end;
  folded constant text := case when has_casefold then 'casefold(content collate %s)' else 'lower(upper(content collate %1$s) collate %1$s)' end;
begin
  execute format('create function service.fold(content text) returns text language sql immutable strict parallel safe return '
    || folded, locale);
  execute format('comment on function service.fold(text) is %L', case when has_casefold then 'casefold' else 'icu' end);
  -- Letters and digits; one blank for all between them.
  execute format('create function service.words(content text) returns text language sql immutable strict parallel safe '
    || 'return regexp_replace(content collate %s, ''[^[:alnum:]]+'', '' '', ''g'')', locale);
end $$;

-- Two names are the same if their keys are equal: without blanks around them and without case.
create function service.name_key(name text) returns text
language sql immutable strict parallel safe
return service.fold(btrim(name, E' \t\r\n\u00a0'));

-- The month of a day, as its first day.
create function service.month_of(day date) returns date
language sql immutable strict parallel safe
return date_trunc('month', day::timestamp)::date;

-- The text that a search compares: its words in lower case, without accents and punctuation, one blank before each word.
-- So ' inv' matches where a word begins with it, and the text holds no character with a meaning to LIKE.
create function service.search_key(content text) returns text
language sql immutable strict parallel safe
return ' ' || btrim(service.words(service.fold(regexp_replace(normalize(content, nfkd), '[\u0300-\u036f]', '', 'g'))));

-- Every migration re-creates all views, so their grants are set before the views exist.
grant usage on schema reporting to cf_reader, cf_writer, cf_backup;
alter default privileges in schema reporting grant select on tables to cf_reader, cf_writer, cf_backup;
