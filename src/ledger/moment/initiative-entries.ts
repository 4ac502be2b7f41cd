/** Reads what figures are computed from: an account's initiatives, each with its plan and its sums by month. */
import type { ClientBase } from 'pg';
import type { RowOf } from '../../database/columns.ts';
import type { Day } from '../../figures/calendar.ts';
import { utcDay } from '../../figures/calendar.ts';
import type { Plan } from '../../figures/plan.ts';
import type { InitiativeEntries } from '../../figures/totals.ts';
import { byInitiative, joinByInitiative } from '../lists/by-initiative.ts';
import { cursorRows } from './cursor-rows.ts';
import { ENTRY_SUM_COLUMNS, entrySumsQuery } from './entry-sums.ts';
import type { Instant } from '../../instant.ts';

const PLAN_COLUMNS = {
  initiative_id: 'int8',
  stage: 'text',
  is_sample: 'bool',
  plan_confirmed: 'bool',
  currency: 'text',
  usd_rate: 'numeric?',
  planned_value_cents: 'int8',
  planned_capacity_total_cents: 'int8',
  planned_opex_total_cents: 'int8',
  planned_capex_cents: 'int8?',
  roi_horizon_years: 'int4?',
  time_to_value_months: 'int4?',
  went_live_at: 'timestamptz?',
  started_at: 'timestamptz?',
  approved_at: 'timestamptz?',
} as const;

const PLANS = `
  select i.id as initiative_id, i.stage, i.is_sample, i.plan_confirmed, i.currency, rate.usd_rate, i.planned_value_cents,
    i.planned_capacity_total_cents, i.planned_opex_total_cents, i.planned_capex_cents, i.roi_horizon_years,
    i.time_to_value_months, i.went_live_at, i.started_at, i.approved_at
  from reporting.initiatives i
  left join (
    select distinct on (currency) currency, usd_rate
    from reporting.daily_rates
    where day <= $2
    order by currency, day desc
  ) rate on rate.currency = i.currency
  where i.account_id = $1 and not i.is_sample
  order by i.id`;

const SUMS = `${entrySumsQuery('account_id = $1 and not is_sample')}
  order by initiative_id, month nulls last`;

/**
 * The initiatives of an account by ascending id, without samples, including those without entries. They are read through
 * cursors in the caller's transaction, so memory holds one initiative. Plans and sums have separate cursors. In a join, each
 * of an initiative's dozens of months would repeat the plan, and the time of the read grows with the columns of each row.
 */
export async function* readInitiativeEntries(
  client: ClientBase,
  { account_id, as_of }: { readonly account_id: bigint; readonly as_of: Day },
): AsyncGenerator<InitiativeEntries> {
  const plans = cursorRows(client, {
    name: 'initiative_plans',
    text: PLANS,
    values: [account_id, as_of],
    columns: PLAN_COLUMNS,
  });
  const sums = cursorRows(client, {
    name: 'initiative_sums',
    text: SUMS,
    values: [account_id],
    columns: ENTRY_SUM_COLUMNS,
  });
  for await (const [[plan], groups] of joinByInitiative(byInitiative(plans), sums)) {
    yield { initiative_id: plan.initiative_id, groups, plan: planOf(plan) };
  }
}

function planOf(row: RowOf<typeof PLAN_COLUMNS>): Plan {
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

function dayOf(instant: Instant | null): Day | null {
  return instant === null ? null : utcDay(instant);
}
