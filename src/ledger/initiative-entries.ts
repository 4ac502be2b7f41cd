/** The sums that figures are folded from: an account's initiatives, each with its plan and its entries by month. */
import type { ClientBase } from 'pg';
import type { Day } from '../figures/calendar.ts';
import { utcDay } from '../figures/calendar.ts';
import type { Plan } from '../figures/plan.ts';
import type { EntrySums } from '../figures/rollup.ts';
import type { InitiativeEntries } from '../figures/totals.ts';
import { cursorRows } from './cursor-rows.ts';
import { entrySumsQuery } from './entry-sums.ts';

interface Row extends EntrySums {
  readonly id: bigint;
  readonly stage: string;
  readonly is_sample: boolean;
  readonly plan_confirmed: boolean;
  readonly currency: string;
  readonly usd_rate: string | null;
  readonly planned_value_cents: bigint;
  readonly planned_capacity_total_cents: bigint;
  readonly planned_opex_total_cents: bigint;
  readonly planned_capex_cents: bigint | null;
  readonly roi_horizon_years: number | null;
  readonly time_to_value_months: number | null;
  readonly went_live_at: bigint | null;
  readonly started_at: bigint | null;
  readonly approved_at: bigint | null;
  readonly has_entries: boolean;
}

const QUERY = `
  select i.id, i.stage, i.is_sample, i.plan_confirmed, i.currency, rate.usd_rate, i.planned_value_cents,
    i.planned_capacity_total_cents, i.planned_opex_total_cents, i.planned_capex_cents, i.roi_horizon_years,
    i.time_to_value_months, i.went_live_at, i.started_at, i.approved_at,
    sums.initiative_id is not null as has_entries, sums.*
  from reporting.initiatives i
  left join (${entrySumsQuery('account_id = $1')}
  ) sums on sums.initiative_id = i.id
  left join (
    select distinct on (currency) currency, usd_rate
    from reporting.daily_rates
    where day <= $2
    order by currency, day desc
  ) rate on rate.currency = i.currency
  where i.account_id = $1 and not i.is_sample
  order by i.id, sums.month nulls last`;

/**
 * The initiatives of an account by ascending id, samples left out, those without entries included. Read through a
 * cursor in the caller's transaction, so memory holds one initiative however many there are.
 */
export async function* readInitiativeEntries(
  client: ClientBase,
  { accountId, asOf }: { readonly accountId: bigint; readonly asOf: Day },
): AsyncGenerator<InitiativeEntries> {
  const rows = cursorRows<Row>(client, {
    name: 'initiative_entries',
    text: QUERY,
    values: [accountId, asOf],
  });
  let current: { readonly row: Row; readonly groups: EntrySums[] } | null = null;
  for await (const row of rows) {
    if (current?.row.id !== row.id) {
      if (current !== null) yield entriesOf(current);
      current = { row, groups: [] };
    }
    if (row.has_entries) current.groups.push(row);
  }
  if (current !== null) yield entriesOf(current);
}

function entriesOf({ row, groups }: { row: Row; groups: EntrySums[] }): InitiativeEntries {
  return { initiative_id: row.id, groups, plan: planOf(row) };
}

function planOf(row: Row): Plan {
  return {
    stage: row.stage,
    is_sample: row.is_sample,
    confirmed: row.plan_confirmed,
    currency: row.currency,
    usd_rate: row.usd_rate,
    value_total_cents: row.planned_value_cents,
    capacity_total_cents: row.planned_capacity_total_cents,
    opex_total_cents: row.planned_opex_total_cents,
    capex_cents: row.planned_capex_cents ?? 0n,
    horizon_months: 12 * (row.roi_horizon_years ?? 0),
    went_live_on: dayOf(row.went_live_at),
    started_on: dayOf(row.started_at),
    approved_on: dayOf(row.approved_at),
    time_to_value_months: row.time_to_value_months,
  };
}

function dayOf(instant: bigint | null): Day | null {
  return instant === null ? null : utcDay(instant);
}
