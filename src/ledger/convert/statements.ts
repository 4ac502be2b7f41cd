/**
 * The SQL statements of a conversion, for one table each. Rates are array parameters, joined as `k` with one row per
 * currency and period, so each rate is computed once.
 */
import type { ConvertedTable } from './converted-tables.ts';

/** Replaces a missing day, so that keys compare with `=` and can be hashed. */
const NO_DAY = '-infinity';

/** The ledger accepts no larger amount, because JSON numbers are exact only below 2^53. */
const MAX_CENTS = '9007199254740991';
/** The limit of a rate column: ten digits before the decimal point. */
const MAX_RATE = '1e10';

/** The rows of one batch: $1 account, ids after $2 up to $3. */
const BATCH = `t.account_id = $1 and t.id > $2 and t.id <= $3 and t.currency <> 'USD'`;

/**
 * Rates by key: $4 currencies, $5 and $6 first and last days of the periods, $7 rates, $8 and $9 first and last days of the
 * rates used, $10 provisional, $11 whether the currency has published rates, $12 whether other currencies have a published
 * day on or after the end of the period.
 */
const RATES = `
  unnest($4::text[], $5::date[], $6::date[], $7::numeric[], $8::date[], $9::date[], $10::boolean[], $11::boolean[], $12::boolean[])
    as k (currency, starts_on, ends_on, usd_rate, usd_rate_from, usd_rate_through, usd_rate_provisional, published, passed)`;

const startsOn = (table: ConvertedTable): string => `coalesce(${table.startsOn}, '${NO_DAY}')`;
const endsOn = (table: ConvertedTable): string => `coalesce(${table.endsOn}, '${NO_DAY}')`;

const keyed = (table: ConvertedTable): string =>
  `k.currency = t.currency and k.starts_on = ${startsOn(table)} and k.ends_on = ${endsOn(table)}`;

/** True if rate and dollars fit into the ledger's columns; a missing amount always fits. */
const fits = ({ amounts }: ConvertedTable): string =>
  [
    `round(k.usd_rate, 10) > 0 and k.usd_rate < ${MAX_RATE}`,
    ...amounts.map((amount) => `coalesce(round(abs(${amount}) * k.usd_rate) <= ${MAX_CENTS}, true)`),
  ].join(' and ');

/** True if there is a rate for the row. Value accepts no provisional rate. */
const hasRate = (table: ConvertedTable): string =>
  `(${fits(table)}${table.provisional ? '' : ' and not k.usd_rate_provisional'})`;

/** The columns that a conversion writes, each with its value if there is no rate. */
const columns = ({ provisional }: ConvertedTable): readonly (readonly [column: string, none: string])[] => [
  ['usd_rate', 'null'],
  ['usd_rate_from', 'null'],
  ['usd_rate_through', 'null'],
  ...(provisional ? [['usd_rate_provisional', 'false'] as const] : []),
];

/** SQL for the values that the row should have, column by column. */
const wanted = (table: ConvertedTable): string =>
  columns(table)
    .map(([column, none]) => `case when ${hasRate(table)} then k.${column} else ${none} end`)
    .join(', ');

const differs = (table: ConvertedTable): string => {
  const has = columns(table).map(([column]) => `t.${column}`);
  return `(not ${table.frozen} and row(${has.join(', ')}) is distinct from row(${wanted(table)}))`;
};

/** The next batch after id $2 of at most $3 rows: its distinct keys, each with the last id of the batch. */
export function keysOfBatch(table: ConvertedTable): string {
  return `
    with batch as materialized (
      select t.id, t.currency::text as currency, ${startsOn(table)}::date as starts_on, ${endsOn(table)}::date as ends_on
      from ledger.${table.name} t
      where t.account_id = $1 and t.id > $2 and t.currency <> 'USD'
      order by t.id limit $3
    )
    select currency, starts_on, ends_on, max(max(id)) over () as through
    from batch group by currency, starts_on, ends_on`;
}

/** The rows of account $1 that have no dollars. */
export const leftOut = (table: ConvertedTable): string =>
  `${inOtherCurrency(table)} and t.usd_amount_cents is null`;

/** The rows of account $1 that are in another currency than dollars. */
export const inOtherCurrency = ({ counts }: ConvertedTable): string =>
  `t.account_id = $1 and t.currency <> 'USD' and ${counts}`;

/** The distinct keys of the rows that have no dollars. */
export function keysOfLeftOut(table: ConvertedTable): string {
  return `
    select distinct t.currency::text as currency, ${startsOn(table)}::date as starts_on, ${endsOn(table)}::date as ends_on
    from ledger.${table.name} t where ${leftOut(table)}`;
}

/**
 * The rates of keys, by the rule of costs, in the order of the keys: $1 currencies, $2 and $3 first and last days, $4
 * today.
 */
export const RATES_OF_KEYS = `
  with asked as (
    select * from unnest($1::text[], $2::date[], $3::date[]) with ordinality as a (currency, starts_on, ends_on, place)
  ), currencies as materialized (
    select currency, exists (select from service.published_crosses(currency, '-infinity', $4)) as published
    from (select distinct currency from asked) as each
  )
  select a.currency, a.starts_on, a.ends_on, c.published, r.usd_rate::text, r.usd_rate_from, r.usd_rate_through,
    r.usd_rate_provisional, exists (select from service.published_crosses('EUR', a.ends_on, $4)) as passed
  from asked a
  join currencies c on c.currency = a.currency
  left join lateral (
    select * from service.cost_rate(a.currency, a.starts_on, a.ends_on, null, $4)
    where c.published and a.starts_on > '${NO_DAY}'
  ) as r on true
  order by a.place`;

/** SQL for the outcome of a row. A month is to be reopened only where a rate is stored. */
const outcome = (table: ConvertedTable): string => {
  const provisional = table.provisional ? 't.usd_rate_provisional' : 'false';
  return `case
          when ${table.frozen} then case
            when t.usd_rate is null then case
              when k.starts_on = '${NO_DAY}' then 'no_period'
              when not k.published then 'no_published_rates'
              when k.usd_rate is null then 'before_first_rate'
              else 'locked_without_rate'
            end
            when ${provisional} then 'locked_provisional'
            else 'converted'
          end
          when ${hasRate(table)} then case when k.usd_rate_provisional then 'provisional' else 'converted' end
          when k.starts_on = '${NO_DAY}' then 'no_period'
          when not k.published then 'no_published_rates'
          when k.usd_rate is null then 'before_first_rate'
          when not (${fits(table)}) then 'too_large'
          else 'waiting'
        end`;
};

/** Counts the rows of a batch by currency and outcome, and how many of them must be written. */
export function outcomesOfBatch(table: ConvertedTable): string {
  return `
    select currency, outcome, count(*)::integer as entries, count(*) filter (where differs)::integer as to_write
    from (
      select t.currency::text as currency, ${differs(table)} as differs, ${outcome(table)} as outcome
      from ledger.${table.name} t
      join ${RATES} on ${keyed(table)}
      where ${BATCH}
    ) as planned
    group by currency, outcome`;
}

/**
 * Counts and adds up the rows that have no dollars by currency and outcome, capacity apart. The parameters are those of a batch.
 * Rows wait in vain if the rates of their currency have ended: other currencies have rates on or after the end of the period.
 */
export function outcomesOfLeftOut(table: ConvertedTable): string {
  return `
    select currency, outcome, outcome = 'waiting' and passed as rates_ended, count(*)::integer as entries,
      coalesce(sum(amount_cents) filter (where not is_capacity), 0) as amount_cents,
      count(*) filter (where is_capacity)::integer as capacity_entries,
      coalesce(sum(amount_cents) filter (where is_capacity), 0) as capacity_amount_cents
    from (
      select t.currency::text as currency, k.passed, ${outcome(table)} as outcome, t.amount_cents::bigint as amount_cents,
        ${table.name === 'value_entries' ? "t.entry_type = 'capacity'" : 'false'} as is_capacity
      from ledger.${table.name} t
      join ${RATES} on ${keyed(table)}
      where ${leftOut(table)} and t.id >= $2 and t.id <= $3
    ) as rows
    group by 1, 2, 3
    order by 2, 1, 3`;
}

/**
 * Writes the rows of a batch whose rate must change, and returns their number by currency. The conditions are on the
 * updated row itself, not on a copy read before. So if another session changes the row meanwhile, PostgreSQL evaluates the
 * conditions again, and does not write a row whose currency changed.
 */
export function writeBatch(table: ConvertedTable): string {
  return `
    with written as (
      update ledger.${table.name} t
      set (${columns(table)
        .map(([column]) => column)
        .join(', ')}) = row(${wanted(table)})
      from ${RATES}
      where ${BATCH} and ${keyed(table)} and ${differs(table)}
      returning t.currency::text as currency
    )
    select currency, count(*)::integer as written from written group by currency`;
}
