/** What is published of a currency: its days, and what they come to over a period. */
import type { ClientBase } from 'pg';

export interface PublishedDay {
  readonly day: string;
  /** Dollars for one unit, ten decimals. */
  readonly usd_rate: string;
}

export interface PublishedPeriod {
  readonly days: readonly PublishedDay[];
  /** True once a day on or after the period's end is published. */
  readonly complete: boolean;
  /** What a cost of the period is converted at today; null before the currency's first rate. */
  readonly cost_rate: {
    readonly usd_rate: string;
    readonly usd_rate_from: string;
    readonly usd_rate_through: string;
  } | null;
  /** The mean over `days`, also of a period that is not complete; null without any. */
  readonly mean: string | null;
}

interface AskedPeriod {
  readonly currency: string;
  readonly from: string;
  readonly through: string;
  readonly today: string;
}

interface CostRateRow {
  readonly usd_rate: string;
  readonly usd_rate_from: string;
  readonly usd_rate_through: string;
  readonly usd_rate_provisional: boolean;
}

/** The UTC day by the database's clock: what every run means by today. */
export async function readToday(client: ClientBase): Promise<string> {
  const { rows } = await client.query<{ today: string }>(
    "select (clock_timestamp() at time zone 'UTC')::date as today",
  );
  return rows[0]?.today ?? '';
}

/** The newest day with a rate of the dollar by which all others are crossed; null where there is none by then. */
export async function readLastPublished(client: ClientBase, today: string): Promise<string | null> {
  const { rows } = await client.query<{ day: string | null }>(
    "select max(day) as day from ledger.euro_reference_rates where currency = 'USD' and day <= $1",
    [today],
  );
  return rows[0]?.day ?? null;
}

/** A currency's published days in a period, none of them after today, and its averages. */
export async function readPublishedPeriod(client: ClientBase, asked: AskedPeriod): Promise<PublishedPeriod> {
  const { currency, from, through, today } = asked;
  const { rows: days } = await client.query<PublishedDay>(
    `select day, round(usd_rate, 10)::text as usd_rate
     from service.published_crosses($1, $2, least($3::date, $4::date)) order by day`,
    [currency, from, through, today],
  );
  const whole = await costRate(client, currency, from, through, today);
  const last = days.at(-1)?.day;
  // Over the days that are there, taken as a period of their own, the same rule gives their mean.
  const partial = last === undefined ? null : await costRate(client, currency, from, last, today);
  if (whole === null) return { days, complete: false, cost_rate: null, mean: null };
  const { usd_rate_provisional, ...cost_rate } = whole;
  return { days, complete: !usd_rate_provisional, cost_rate, mean: partial?.usd_rate ?? null };
}

async function costRate(
  client: ClientBase,
  ...asked: readonly [currency: string, from: string, through: string, today: string]
): Promise<CostRateRow | null> {
  const { rows } = await client.query<CostRateRow>(
    `select usd_rate::text, usd_rate_from, usd_rate_through, usd_rate_provisional
     from service.cost_rate($1, $2, $3, null, $4) where usd_rate is not null`,
    [...asked],
  );
  return rows[0] ?? null;
}
