/** Reads the cash value of initiatives in the currency of their plan, by month: for plans that are not in dollars. */
import type { ClientBase } from 'pg';
import type { RowOf } from '../../database/columns.ts';
import type { Day } from '../../figures/calendar.ts';
import { cursorRows } from './cursor-rows.ts';

const COLUMNS = {
  initiative_id: 'int8',
  month: 'date?',
  cash_cents: 'int8',
} as const;

// A plan is compared as a budget is. An entry in the currency of the plan counts as recorded. Of any other, the dollar amount is
// divided by the rate of that currency for the entry's period, which must be complete, as for the dollars of value: without a
// period there is no rate. With forty decimals the quotient always rounds to the right cent.
const PLAN_VALUE = `
  with entries as (
    select v.initiative_id, v.period_month as month, i.currency, v.period_start as starts_on,
      service.cost_ends_on(v.period_start, v.period_end, null) as ends_on,
      case when v.currency = i.currency then v.amount_cents else v.usd_amount_cents end as cents,
      v.currency <> i.currency as foreign_to_plan
    from ledger.value_entries v
    join ledger.initiatives i on i.account_id = v.account_id and i.id = v.initiative_id
    where v.account_id = $1 and not i.is_sample and i.currency <> 'USD' and v.status = 'approved'
      and v.entry_type in ('revenue_gain', 'cost_savings', 'cost_avoidance', 'capacity_realized')
  ),
  rates as (
    select period.*, rate.usd_rate
    from (
      select distinct currency, starts_on, ends_on from entries
      where foreign_to_plan and starts_on is not null and cents is not null
    ) period
    cross join lateral service.cost_rate(period.currency, period.starts_on, period.ends_on, null, $2) rate
    where not rate.usd_rate_provisional
  ),
  counted as (
    select e.initiative_id, e.month,
      case when e.foreign_to_plan then round(e.cents::numeric(60, 40) / r.usd_rate) else e.cents end as cents
    from entries e
    left join rates r on e.foreign_to_plan and r.currency = e.currency and r.starts_on = e.starts_on and r.ends_on = e.ends_on
  )
  select initiative_id, month, sum(cents)::bigint as cash_cents
  from counted
  where cents is not null
  group by initiative_id, month
  order by initiative_id, month nulls first`;

/** Sums by ascending initiative and month, first that of value without a period. */
export async function* readPlanValue(
  client: ClientBase,
  { account_id, as_of }: { readonly account_id: bigint; readonly as_of: Day },
): AsyncGenerator<RowOf<typeof COLUMNS>> {
  yield* cursorRows(client, {
    name: 'plan_value',
    text: PLAN_VALUE,
    values: [account_id, as_of],
    columns: COLUMNS,
  });
}
