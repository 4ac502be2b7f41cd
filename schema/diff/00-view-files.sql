-- Views of the files of two snapshots of one account: the rows that decide the totals. The column `side` is `earlier` or
-- `later`, as the folders are named. These scripts write a reason as its index in the variable `reasons`.

create macro place(reason) as list_position(getvariable('reasons'), reason);
-- The first day of an instant's month, and the instant as the API writes it: the session is in UTC.
create macro utc_month(instant) as date_trunc('month', instant)::date;
create macro said_instant(instant) as strftime(instant, '%Y-%m-%dT%H:%M:%S.%fZ');
-- Dollars of an amount at a rate, in exact decimals, rounded half away from zero. A rate has ten decimals.
create macro dollars(cents, usd_rate) as
  round(cents::decimal(17, 0) * usd_rate::decimal(20, 10))::bigint;
-- A cell before and after the change, in the form of the response.
create macro cell(name, was, is_now) as {'name': name, 'was': to_json(was), 'is_now': to_json(is_now)};

create view snapshots as
select 'earlier' as side, * from read_parquet('earlier/snapshot.parquet')
union all by name
select 'later' as side, * from read_parquet('later/snapshot.parquet');

create view initiatives as
select 'earlier' as side, * from read_parquet('earlier/initiatives.parquet')
union all by name
select 'later' as side, * from read_parquet('later/initiatives.parquet');

create view reported_value as
select 'earlier' as side, * from read_parquet('earlier/reported_value.parquet')
union all by name
select 'later' as side, * from read_parquet('later/reported_value.parquet');

create view costs as
select 'earlier' as side, * from read_parquet('earlier/costs.parquet')
union all by name
select 'later' as side, * from read_parquet('later/costs.parquet');

-- All changed rows, from which the response is made: in the order of the tables, within a table in the order of the keys.
create table changes (
  "table" varchar,
  change varchar,
  key json,
  reason varchar,
  before json,
  after json,
  effects json,
  moved json
);
