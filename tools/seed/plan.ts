/**
 * The start of every seeded account: the plan (one row in a temporary table that the statements join), functions that draw
 * random values by the seed, and the dollar rate of every possible period. The session keeps the rates for its next accounts:
 * they are equal for the same months, and computing them takes a quarter of the time of a small account.
 */

/**
 * The plan of one account: $1 id, $2 seed, $3 rows, $4 initiatives, $5 years, $6 inputs. Its people and vendors are shared by all
 * copies, so they are as many as $7, the initiatives with the copies, need.
 */
export const PLAN = `
  insert into pg_temp.plan
  select $1::bigint, hashint8extended($1, $2), $3::bigint, $4::bigint, $6::bigint, 10 + $7::bigint / 100, 10 + $7::bigint / 20,
    4 + $3::bigint / 50, rates.last_day,
    (date_trunc('month', rates.last_day) - make_interval(months => 12 * $5::integer - 1))::date, 12 * $5::integer,
    coalesce((select max(u.id) from ledger.users u), 0), 0
  from (select max(day) as last_day from ledger.euro_reference_rates) as rates`;

/** Deletes the account of the plan and its people. */
export const FORGET_ACCOUNT: readonly string[] = [
  'set constraints all deferred',
  'delete from ledger.accounts where id = (select account_id from pg_temp.plan)',
  `delete from ledger.users u using pg_temp.plan p where u.id > p.users_before and u.id <= p.users_before + p.people`,
];

/** The plan as one text, and the statement that fills the plan of another session from it. */
export const PLAN_AS_JSON = {
  name: 'plan',
  text: 'select to_json(p)::text as plan from pg_temp.plan p',
  columns: { plan: 'text' },
} as const;
export const COPY_OF_PLAN =
  'insert into pg_temp.plan select * from json_populate_record(null::pg_temp.plan, $1::json)';

/** The statements that create the tables and functions for plans and draws; run once per account and session. */
export const PLAN_TABLES: readonly string[] = [
  'drop table if exists pg_temp.plan cascade',
  `create temp table plan (
    account_id bigint, seed bigint, rows bigint, initiatives bigint, inputs bigint, people bigint, vendors bigint,
    bills bigint, last_day date, first_month date, months integer, users_before bigint, booked bigint
  )`,
  `create temp table if not exists period_rates (
    key text, usd_rate numeric, usd_rate_from date, usd_rate_through date, usd_rate_provisional boolean
  )`,
  'create temp table if not exists period_rates_of (first_month date, months integer, last_day date)',
  // A number from 0 to below `below`, equal on every machine for the same seed, purpose and n.
  `create or replace function pg_temp.draw(seed bigint, purpose text, n bigint, below bigint) returns bigint
    language sql immutable parallel safe
    return (hashint8extended(n, hashtextextended(purpose, seed)) & 9223372036854775807) % below`,
  // The key of an entry's rate. Undated costs are booked in the middle of a month. The function is declared stable, because
  // its body is: otherwise PostgreSQL would not inline it, and a call for each row costs more.
  `create or replace function pg_temp.rate_key(currency text, period_start date, period_end date, booked_on date) returns text
    language sql stable parallel safe
    return currency || coalesce(period_start - date '2000-01-01', -1) || '/' || coalesce(period_end - date '2000-01-01', -1) || '/'
      || case when period_start is null then booked_on - date '2000-01-01' else -1 end`,
  // Squares a random number, so that a few initiatives have most of the entries.
  `create or replace function pg_temp.draw_initiative(seed bigint, purpose text, n bigint, initiatives bigint) returns bigint
    language sql immutable parallel safe
    return 1 + initiatives * pg_temp.draw(seed, purpose, n, 10000) * pg_temp.draw(seed, purpose, n, 10000) / 100000000`,
  // Mostly dollars. NOK has no published rate, and the rates of BGN end early.
  `create or replace function pg_temp.draw_currency(seed bigint, purpose text, n bigint) returns text
    language sql immutable parallel safe
    return (array['USD', 'USD', 'USD', 'USD', 'USD', 'USD', 'USD', 'EUR', 'EUR', 'EUR', 'GBP', 'GBP', 'JPY', 'CHF', 'BGN', 'NOK'])
      [1 + pg_temp.draw(seed, purpose || ' currency', n, 16)]`,
  // The period has one of four shapes: a month, the first day of a month without an end, three months, or none. In dollars,
  // it may also start on any day of the month.
  `create or replace function pg_temp.draw_period(
    seed bigint, purpose text, n bigint, currency text, month date) returns table (period_start date, period_end date)
    language sql immutable parallel safe
    as $$
      select
        case when shape < 95 then month + case when shape >= 85 and currency = 'USD' then day else 0 end end,
        case when shape < 60 then (month + interval '1 month - 1 day')::date
          when shape >= 75 and shape < 85 then (month + interval '3 months - 1 day')::date end
      from (select pg_temp.draw(seed, purpose || ' shape', n, 100) as shape,
        pg_temp.draw(seed, purpose || ' day', n, 28)::integer as day) as drawn
    $$`,
];

/** Returns a row if the session has the rates of the plan's months. */
export const RATES_KNOWN = `
  select from pg_temp.period_rates_of join pg_temp.plan using (first_month, months, last_day)`;

/** Deletes the rates of the session, and notes the months of the plan as those of the next rates. */
export const FORGET_RATES: readonly string[] = [
  'delete from pg_temp.period_rates',
  'delete from pg_temp.period_rates_of',
  'insert into pg_temp.period_rates_of select first_month, months, last_day from pg_temp.plan',
];

/** The rates of the plan's months, by the ledger's own function: computed once per period, not per entry. */
export const PERIOD_RATES = `
  insert into pg_temp.period_rates
  select pg_temp.rate_key(currency, period_start, period_end, booked_on), rate.*
  from pg_temp.plan p
  cross join (values ('EUR'), ('GBP'), ('JPY'), ('CHF'), ('BGN')) as of (currency)
  cross join lateral (
    select (p.first_month + make_interval(months => month))::date as month from generate_series(0, p.months + 2) as month
  ) as months
  cross join lateral (values
    (month, (month + interval '1 month - 1 day')::date, null),
    (month, null, null),
    (month, (month + interval '3 months - 1 day')::date, null),
    (null::date, null, month + 14)
  ) as period (period_start, period_end, booked_on)
  cross join lateral service.cost_rate(currency, period_start, period_end, booked_on, p.last_day) as rate`;
