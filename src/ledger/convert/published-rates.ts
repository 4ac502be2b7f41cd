/** The published rates of a currency in a period, and their average. */
import { type NotNull, sql } from 'kysely';
import type { ClientBase } from 'pg';
import { call, db, readFirst, readOne, readRows } from '../../database/query.ts';

export interface PublishedDay {
  readonly day: string;
  /** Dollars for one unit, ten decimals. */
  readonly usd_rate: string;
}

export interface PublishedPeriod {
  readonly days: readonly PublishedDay[];
  /** True once a day on or after the period's end is published. */
  readonly complete: boolean;
  /** The rate at which a cost of the period is converted today; null before the currency's first rate. */
  readonly cost_rate: {
    readonly usd_rate: string;
    readonly usd_rate_from: string;
    readonly usd_rate_through: string;
  } | null;
  /** The mean over `days`, even if the period is not complete; null if there are no days. */
  readonly mean: string | null;
}

interface AskedPeriod {
  readonly currency: string;
  readonly from: string;
  readonly through: string;
  readonly today: string;
}

/** The newest day with a dollar rate, which every conversion needs; null if there is none by then. */
export async function readLastPublished(client: ClientBase, today: string): Promise<string | null> {
  const newest = db
    .selectFrom('ledger.euro_reference_rates')
    .select((eb) => eb.fn.max('day').as('day'))
    .where('currency', '=', 'USD')
    .where('day', '<=', today);
  return (await readOne(client, newest)).day;
}

/** The newest stored dollar rate, in dollars for a euro; null if none is stored. */
export async function readNewestDollars(
  client: ClientBase,
): Promise<{ readonly day: string; readonly units_per_euro: string } | null> {
  const newest = db
    .selectFrom('ledger.euro_reference_rates')
    .select((eb) => ['day', sql<string>`trim_scale(${eb.ref('units_per_euro')})::text`.as('units_per_euro')])
    .where('currency', '=', 'USD')
    .orderBy('day', 'desc')
    .limit(1);
  return (await readFirst(client, newest)) ?? null;
}

/** The published days of a currency in a period, through today at most, and its averages. */
export async function readPublishedPeriod(client: ClientBase, asked: AskedPeriod): Promise<PublishedPeriod> {
  const { currency, from, through, today } = asked;
  const published = db
    .selectFrom(
      call(
        'service.published_crosses',
        currency,
        from,
        sql<string>`least(${through}::date, ${today}::date)`,
      ).as('p'),
    )
    .select((eb) => ['day', sql<string>`round(${eb.ref('usd_rate')}, 10)::text`.as('usd_rate')])
    .$narrowType<{ day: NotNull }>()
    .orderBy('day');
  const days = await readRows(client, published);
  const period_rate = await costRate(client, currency, from, through, today);
  const last = days.at(-1)?.day;
  // The mean over the published days: the same rule, with these days as the whole period.
  const partial = last === undefined ? null : await costRate(client, currency, from, last, today);
  if (period_rate === null) return { days, complete: false, cost_rate: null, mean: null };
  const { usd_rate_provisional, ...cost_rate } = period_rate;
  return { days, complete: !usd_rate_provisional, cost_rate, mean: partial?.usd_rate ?? null };
}

async function costRate(
  client: ClientBase,
  ...[currency, from, through, today]: readonly [
    currency: string,
    from: string,
    through: string,
    today: string,
  ]
) {
  const rate = db
    .selectFrom(call('service.cost_rate', currency, from, through, null, today).as('rate'))
    .select((eb) => [
      eb.cast<string>('usd_rate', 'text').as('usd_rate'),
      'usd_rate_from',
      'usd_rate_through',
      'usd_rate_provisional',
    ])
    .$narrowType<{ usd_rate_from: NotNull; usd_rate_through: NotNull; usd_rate_provisional: NotNull }>()
    .where('usd_rate', 'is not', null);
  return await readFirst(client, rate);
}
