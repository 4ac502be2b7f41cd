-- The files of two snapshots of one account as views, in folders of these names: the rows that decide about totals, each
-- with the side it is of. Reasons are given by their place in the declared order, which is the variable `reasons`.

create macro place(reason) as list_position(getvariable('reasons'), reason);
-- The UTC day of an instant, whatever time zone the session is in, and the first day of its month.
create macro utc_day(instant) as make_timestamp(epoch_us(instant))::date;
create macro utc_month(instant) as date_trunc('month', utc_day(instant))::date;
create macro said_instant(instant) as strftime(instant, '%Y-%m-%dT%H:%M:%S.%fZ');
-- Dollars of an amount at a rate, in exact decimals, rounded half away from zero. A rate has ten decimals.
create macro dollars(cents, usd_rate) as
  round(cents::decimal(17, 0) * usd_rate::decimal(20, 10))::bigint;
-- A column of both rows as their keeper will say it.
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

-- Every changed row, in the order of the tables and of their keys; what the answer is made from.
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
