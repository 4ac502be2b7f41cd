-- Macros and views that all checks use. Run the script in the folder of the snapshot: duckdb < audit.sql
-- A check returns one row for each fault. Its variable `reads` lists the tables that it reads, so that the report can count rows.

-- The UTC day of an instant, independent of the session's time zone.
create macro utc_day(instant) as make_timestamp(epoch_us(instant))::date;
-- Sixty bits of a text's digest; sums of these show whether two sets of texts are equal.
create macro digest_bits(content) as ('0x' || left(md5(content), 15))::bigint;
-- Converts an amount to dollars, with exact decimals; halves round away from zero. A rate has ten decimals.
create macro dollars(cents, usd_rate) as
  round(cents::decimal(17, 0) * usd_rate::decimal(20, 10))::bigint;
-- A cell as text for a finding.
create macro said(content) as coalesce(content::varchar, 'empty');

-- The columns that the files have, and the columns that schema.json declares.
create view file_columns as
select
  parse_filename(file_name, true) as table_name,
  column_id as ordinal,
  name as column_name,
  duckdb_type as type,
  repetition_type = 'OPTIONAL' as nullable
from parquet_schema('*.parquet')
where column_id > 0;

create table declared_columns as
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

-- The control totals: what the ledger's base tables held at the moment of the snapshot, read without views. In each row,
-- `figures` is a map from names to texts. `control_rows` is a table, not a view, because most checks use it. The file is
-- read line by line, with one row on each line, because all rows together are too large for one JSON value.
create table control_rows as
select unnest(from_json(rtrim(line, ','), '{"base_table": "varchar", "row": "bigint", "figures": "map(varchar, varchar)"}'))
from read_csv('control.json', columns = {line: 'varchar'}, header = false, auto_detect = false, delim = '', quote = '', escape = '',
  max_line_size = 16777216, buffer_size = 16777216)
where line not in ('{"rows":[', ']}');

create view control as
select base_table, row, entry.key as name, entry.value as content
from (select base_table, row, unnest(map_entries(figures)) as entry from control_rows);

create view control_account as
select
  figures['id']::bigint as id,
  figures['name_digest'] as name_digest,
  figures['fiscal_year_start_month']::integer as fiscal_year_start_month,
  figures['contribution_margin']::decimal(5, 4) as contribution_margin,
  figures['app_url'] as app_url
from control_rows where base_table = 'accounts';

create view control_users as
select figures['id']::bigint as id, figures['name_digest'] as name_digest
from control_rows where base_table = 'users';

create view control_connections as
select
  figures['id']::bigint as id,
  figures['platform_key'] as platform_key,
  figures['name_digest'] as name_digest,
  figures['set_aside']::boolean as set_aside
from control_rows where base_table = 'connections';

create view control_months as
select
  figures['month']::date as month,
  figures['status'] as status,
  figures['locked_at']::bigint as locked_at,
  figures['locked_by_id']::bigint as locked_by_id,
  figures['reopened_at']::bigint as reopened_at,
  figures['reopened_by_id']::bigint as reopened_by_id,
  figures['reason_digest'] as reason_digest
from control_rows where base_table = 'accounting_months';
