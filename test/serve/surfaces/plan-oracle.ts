/** What is due of plans, worked by the rule of the semantics from the base tables, without the product's code. */
import type { Client } from 'pg';

export interface OraclePlan {
  readonly id: bigint;
  readonly stage: string;
  readonly confirmed: boolean;
  readonly currency: string;
  /** Over the whole horizon, in `currency`. */
  readonly value_cents: bigint;
  readonly opex_cents: bigint;
  readonly capex_cents: bigint;
  /** The number of the first month and how many months there are; null without a start or a horizon. */
  readonly steps: { readonly first: number; readonly count: number } | null;
  readonly usd_rate: string | null;
  readonly toDollars: (cents: bigint) => bigint;
}

const RATE_SCALE = 10n ** 10n;

export async function planOracle(owner: Client, account_id: bigint): Promise<readonly OraclePlan[]> {
  const { rows } = await owner.query<Record<string, string | null>>(
    `select i.id::text, i.stage, (i.plan_source = 'person' or i.plan_confirmed_at is not null)::text as confirmed, i.currency::text,
       coalesce(i.planned_cost_savings_cents, 0)::text as savings, coalesce(i.planned_revenue_uplift_cents, 0)::text as uplift,
       coalesce(i.planned_opex_cents, 0)::text as opex, coalesce(i.planned_capex_cents, 0)::text as capex,
       i.planned_value_period as period, coalesce(i.roi_horizon_years, 0)::text as years,
       coalesce(i.time_to_value_months, 0)::text as waits, (a.contribution_margin * 10000)::bigint::text as margin,
       to_char(i.went_live_at at time zone 'UTC', 'YYYY-MM') as live, to_char(i.started_at at time zone 'UTC', 'YYYY-MM') as started,
       (select round(usd_rate, 10)::text from reporting.daily_rates r
        where r.currency = i.currency and day <= date '2026-07-15' order by day desc limit 1) as usd_rate
     from ledger.initiatives i join ledger.accounts a on a.id = i.account_id
     where i.account_id = $1 and not i.is_sample order by i.id`,
    [account_id],
  );
  return rows.map((row) => {
    const amount = (name: string): bigint => BigInt(row[name] ?? '0');
    const years = Number(row['years']);
    const periods = BigInt(years * ({ monthly: 12, quarterly: 4 }[row['period'] ?? ''] ?? 1));
    const uplift = half(amount('uplift') * amount('margin'), 10_000n);
    const start = row['live'] ?? row['started'] ?? null;
    const waits = row['live'] === null ? Number(row['waits']) : 0;
    const currency = row['currency'] ?? 'USD';
    const usd_rate = currency === 'USD' ? '1' : (row['usd_rate'] ?? null);
    const rate = scaled(usd_rate ?? '0');
    return {
      id: amount('id'),
      stage: row['stage'] ?? '',
      confirmed: row['confirmed'] === 'true',
      currency,
      value_cents: (amount('savings') + uplift) * periods,
      opex_cents: amount('opex') * periods,
      capex_cents: amount('capex'),
      steps:
        start === null || years === 0 ? null : { first: numberOf(`${start}-01`) + waits, count: 12 * years },
      usd_rate,
      toDollars: (cents) => half(cents * rate, RATE_SCALE),
    };
  });
}

/** The part of a total that is due on the day: equal monthly steps, each due on the first day of its month; null without steps. */
export function dueOn({ steps }: OraclePlan, total: bigint, as_of: string): bigint | null {
  if (steps === null) return null;
  const done = Math.min(steps.count, numberOf(as_of) - steps.first + 1);
  return done <= 0 ? null : half(total * BigInt(done), BigInt(steps.count));
}

function numberOf(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
}

function scaled(rate: string): bigint {
  const [integer = '0', part = ''] = rate.split('.');
  return BigInt(`${integer}${part.padEnd(10, '0')}`);
}

/** The quotient, half a unit rounded away from zero. */
function half(value: bigint, unit: bigint): bigint {
  return (2n * value + (value < 0n ? -unit : unit)) / (2n * unit);
}
