-- Views of the FOCUS file (the costs in the format of cloud bills) and of the reporting tables with which it must agree.

-- The UTC day of an instant, independent of the session's time zone.
create macro utc_day(instant) as make_timestamp(epoch_us(instant))::date;
-- Midnight UTC of a day, as microseconds since 1970.
create macro midnight(day) as epoch_us(day::timestamp);
-- A cell as text for a finding.
create macro said(content) as coalesce(content::varchar, 'empty');

create view focus as from read_parquet('focus/focus.parquet');
create view costs as from read_parquet('costs.parquet');
create view reported_totals as from read_parquet('reported_totals.parquet');
create view snapshot as from read_parquet('snapshot.parquet');
