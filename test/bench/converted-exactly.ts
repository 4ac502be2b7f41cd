/** Holds a converted account to rates worked in exact fractions, apart from the product. */
import type { ClientBase } from 'pg';
import { divide } from '../fixtures/dollars.ts';
import { exactCostRate, sampleRates } from '../fixtures/exact-rates.ts';

const TEN_DECIMALS = 10_000_000_000n;

interface Group {
  readonly kind: 'cost' | 'value';
  readonly currency: string;
  readonly period_start: string | null;
  readonly period_end: string | null;
  readonly booked_on: string;
  readonly rate: string | null;
  readonly from: string | null;
  readonly through: string | null;
  readonly provisional: boolean;
  /** One entry of them, the one with the greatest amount. */
  readonly amount_cents: bigint;
  readonly usd_amount_cents: bigint | null;
}

const GROUPS = `
  select 'cost' as kind, currency, period_start, period_end,
    case when period_start is null then (created_at at time zone 'UTC')::date else '2000-01-01' end as booked_on,
    usd_rate::text as rate, usd_rate_from as from, usd_rate_through as through, usd_rate_provisional as provisional,
    max(amount_cents) as amount_cents, max(usd_amount_cents) as usd_amount_cents
  from ledger.cost_entries where account_id = $1 and currency <> 'USD' group by 2, 3, 4, 5, 6, 7, 8, 9
  union all
  select 'value', currency, period_start, period_end, '2000-01-01', usd_rate::text, usd_rate_from, usd_rate_through, false,
    max(amount_cents), max(usd_amount_cents)
  from ledger.value_entries where account_id = $1 and currency <> 'USD' group by 2, 3, 4, 6, 7, 8`;

/** What is not as it should be; every currency, period and rate that occurs is looked at. */
export async function wronglyConverted(
  owner: ClientBase,
  account: bigint,
  today: string,
): Promise<readonly string[]> {
  const rates = sampleRates();
  const { rows } = await owner.query<Group>(GROUPS, [account]);
  return rows.flatMap((group) => {
    const exact = exactCostRate(rates, group.currency, group, today);
    const never = group.kind === 'value' && (group.period_start === null || exact?.[3] === true);
    const expected = exact === null || never ? [null, null, null, false] : exact;
    const found = [group.rate, group.from, group.through, group.provisional];
    const dollars =
      group.rate === null
        ? null
        : divide(group.amount_cents * BigInt(group.rate.replace('.', '')), TEN_DECIMALS);
    const right = String(found) === String(expected) && dollars === group.usd_amount_cents;
    return right
      ? []
      : [`${group.kind} ${group.currency} ${group.period_start}: ${found.join()}, not ${expected.join()}`];
  });
}
