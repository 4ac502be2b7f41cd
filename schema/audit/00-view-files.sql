-- The files of one snapshot as views. The script runs in their folder: duckdb < audit.sql

-- The UTC day of an instant, whatever time zone the session is in.
create macro utc_day(instant) as make_timestamp(epoch_us(instant))::date;
-- One part of a sum that tells whether texts are the same: sixty bits of their digest.
create macro digest_bits(content) as ('0x' || left(md5(content), 15))::bigint;
-- Dollars of an amount at a rate, in exact decimals, rounded half away from zero. A rate has ten decimals.
create macro dollars(cents, usd_rate) as
  round(cents::decimal(17, 0) * usd_rate::decimal(20, 10))::bigint;
-- A cell as a message says it.
create macro said(content) as coalesce(content::varchar, 'empty');

create view snapshot as from read_parquet('snapshot.parquet');
create view initiatives as from read_parquet('initiatives.parquet');
create view reported_value as from read_parquet('reported_value.parquet');
create view costs as from read_parquet('costs.parquet');
create view reported_totals as from read_parquet('reported_totals.parquet');

-- What the columns of the files are, and what the description says they should be.
create view file_columns as
select
  parse_filename(file_name, true) as table_name,
  column_id as ordinal,
  name as column_name,
  duckdb_type as type,
  repetition_type = 'OPTIONAL' as nullable
from parquet_schema('*.parquet')
where column_id > 0;

create view declared_columns as
select
  declared.name as table_name,
  ordinal,
  declared.columns[ordinal].name as column_name,
  declared.columns[ordinal].type as kind,
  declared.columns[ordinal].nullable as nullable,
  declared.columns[ordinal].values as allowed
from (
  select unnest(tables) as declared
  from read_json('schema.json', columns = {
    tables: 'struct(name varchar, columns struct(name varchar, type varchar, nullable boolean, "values" varchar[])[])[]'})
), unnest(generate_series(1, len(declared.columns))) as ordinals (ordinal);

create view description as from read_json('schema.json', columns = {version: 'varchar'});

-- What the ledger's own tables said at the moment of the snapshot, past every view: text by base table, row and name.
-- Kept, because most checks ask it.
create table control as
select base_table, row, entry.key as name, entry.value as content
from (
  select base_table, generate_subscripts(rows, 1) as row, unnest(rows) as figures
  from (
    unpivot (from read_json('control.json', columns = {
      accounting_months: 'map(varchar, varchar)[]', accounts: 'map(varchar, varchar)[]',
      books_accounts: 'map(varchar, varchar)[]', connections: 'map(varchar, varchar)[]',
      cost_entries: 'map(varchar, varchar)[]', formula_versions: 'map(varchar, varchar)[]',
      formulas: 'map(varchar, varchar)[]', initiatives: 'map(varchar, varchar)[]',
      platforms: 'map(varchar, varchar)[]', users: 'map(varchar, varchar)[]',
      value_entries: 'map(varchar, varchar)[]'}))
    on columns(*) into name base_table value rows
  )
), unnest(map_entries(figures)) as entries (entry);

create view control_account as
select
  max(content) filter (where name = 'id')::bigint as id,
  max(content) filter (where name = 'name_digest') as name_digest,
  max(content) filter (where name = 'fiscal_year_start_month')::integer as fiscal_year_start_month,
  max(content) filter (where name = 'contribution_margin')::decimal(5, 4) as contribution_margin,
  max(content) filter (where name = 'app_url') as app_url
from control
where base_table = 'accounts'
group by row;

create view control_users as
select
  max(content) filter (where name = 'id')::bigint as id,
  max(content) filter (where name = 'name_digest') as name_digest
from control
where base_table = 'users'
group by row;

create view control_connections as
select
  max(content) filter (where name = 'id')::bigint as id,
  max(content) filter (where name = 'platform_key') as platform_key
from control
where base_table = 'connections'
group by row;
