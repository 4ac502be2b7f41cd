-- Views of the companion tables, of the reporting tables that hold some of the same rows, and of the ledger's control totals.
-- Companion tables are extra files beside the reporting tables, with the rows of the read API.

-- The UTC day of an instant, independent of the session's time zone.
create macro utc_day(instant) as make_timestamp(epoch_us(instant))::date;
-- A cell as text for a finding.
create macro said(content) as coalesce(content::varchar, 'empty');

-- Decimals with up to thirty digits after the point, added up as whole numbers: before the point, and after it.
create macro decimals_of(written) as (if(starts_with(written, '-'), '-', '') || rpad(split_part(written, '.', 2), 30, '0'))::hugeint;
create macro parts_added(written) as
  {wholes: sum(split_part(written, '.', 1)::hugeint), decimals: sum(decimals_of(written))};
-- Whether the decimal is the sum. It is empty where nothing was added up.
create macro is_sum(added, written) as (added['wholes'] is null and written is null) or coalesce(
  (decimals_of(written) - added['decimals']) % 1000000000000000000000000000000::hugeint = 0
    and added['wholes'] - split_part(written, '.', 1)::hugeint
      = (decimals_of(written) - added['decimals']) // 1000000000000000000000000000000::hugeint, false);

create view companion_files as
select parse_filename(file_name, true) as name, num_rows from parquet_file_metadata('companions/*.parquet');
create view snapshot as from read_parquet('snapshot.parquet');
create view initiatives as from read_parquet('initiatives.parquet');
create view costs as from read_parquet('costs.parquet');
create view reported_value as from read_parquet('reported_value.parquet');
create view portfolio_decisions as from read_parquet('portfolio_decisions.parquet');
create view ai_spend as from read_parquet('ai_spend.parquet');
create view budget_vs_actual as from read_parquet('budget_vs_actual.parquet');

create table control_rows as
select figures['name'] as name, figures['rows'] as rows, figures['ids'] as ids, figures['changes'] as changes,
  figures['amount_cents'] as amount_cents
from (
  select unnest(from_json(rtrim(line, ','), '{"figures": "map(varchar, varchar)"}'))
  from read_csv('companions/control.json', columns = {line: 'varchar'}, header = false, auto_detect = false, delim = '',
    quote = '', escape = '')
  where line not in ('{"rows":[', ']}')
);
