/** Reads what budget comparisons need: an account's initiatives, each with its budget versions and its spend by month. */
import type { ClientBase } from 'pg';
import type { Holding, RowOf } from '../../database/columns.ts';
import type { BudgetVersion } from '../../figures/budget-coverage.ts';
import type { InitiativeBudget } from '../../figures/budget.ts';
import type { Day } from '../../figures/calendar.ts';
import { byInitiative, joinByInitiative } from '../lists/by-initiative.ts';
import { cursorRows } from './cursor-rows.ts';

const VERSION_COLUMNS = {
  initiative_id: 'int8',
  initiative_currency: 'text',
  // All columns of the version are null for an initiative without versions.
  id: 'int8?',
  status: 'text' as Holding<'text', BudgetVersion['status']>,
  source: 'text' as Holding<'text', BudgetVersion['source']>,
  capex_cents: 'int8',
  opex_cents: 'int8',
  opex_cadence: 'text' as Holding<'text', BudgetVersion['opex_cadence']>,
  currency: 'text',
  effective_from: 'date',
  ends_on: 'date?',
  reason: 'text?',
  set_by_id: 'int8?',
  set_by_name: 'text?',
  decided_at: 'timestamptz?',
} as const;

const SPEND_COLUMNS = {
  initiative_id: 'int8',
  month: 'date',
  capex_cents: 'int8',
  opex_cents: 'int8',
} as const;

/** The initiatives to compare: all except samples, or these ids. */
type Wanted = 'all' | readonly bigint[];

/** The condition on an initiative `i`, and the value of its parameter if it has one. */
function wantedInitiatives(wanted: Wanted, parameter: string): { text: string; values: readonly unknown[] } {
  return wanted === 'all'
    ? { text: 'not i.is_sample', values: [] }
    : { text: `i.id = any (${parameter})`, values: [wanted] };
}

const versionsOf = (condition: string): string => `
  select i.id as initiative_id, i.currency as initiative_currency, b.id, b.status, b.source, b.capex_cents,
    b.opex_cents, b.opex_cadence, b.currency, b.effective_from, b.ends_on, b.reason, b.set_by_id,
    setter.name as set_by_name, b.decided_at
  from ledger.initiatives i
  left join ledger.budget_versions b on b.account_id = i.account_id and b.initiative_id = i.id
  left join ledger.users setter on setter.id = b.set_by_id
  where i.account_id = $1 and ${condition}
  order by i.id, b.id`;

// An entry counts in the budget's currency. If the entry has that currency, its recorded amount counts. Otherwise its dollar
// amount counts; for a budget in another currency, it is divided by the rate of that currency for the entry's period. A rate
// is computed once per period, not per entry. With forty decimals the quotient always rounds to the right cent.
const spendOf = (condition: string): string => `
  with entries as (
    select c.initiative_id, c.cost_category, c.booked_month as month, budget.currency, dated.starts_on,
      service.cost_ends_on(c.period_start, c.period_end, dated.starts_on) as ends_on,
      case when c.currency = budget.currency then c.amount_cents else c.usd_amount_cents end as cents,
      c.currency <> budget.currency and budget.currency <> 'USD' as foreign_to_budget
    from ledger.cost_entries c
    join (
      select distinct b.initiative_id, b.currency
      from ledger.budget_versions b
      join ledger.initiatives i on i.account_id = b.account_id and i.id = b.initiative_id
      where b.account_id = $1 and b.status = 'approved' and ${condition}
    ) budget on budget.initiative_id = c.initiative_id
    cross join lateral (
      select coalesce(c.period_start, (c.created_at at time zone 'UTC')::date) as starts_on
    ) dated
    where c.account_id = $1 and dated.starts_on <= $2
  ),
  rates as (
    select period.*, rate.usd_rate
    from (select distinct currency, starts_on, ends_on from entries where foreign_to_budget) period
    cross join lateral service.cost_rate(period.currency, period.starts_on, period.ends_on, null, $2) rate
  ),
  counted as (
    select e.initiative_id, e.cost_category, e.month,
      case when e.foreign_to_budget then round(e.cents::numeric(60, 40) / r.usd_rate) else e.cents end as cents
    from entries e
    left join rates r on e.foreign_to_budget and r.currency = e.currency and r.starts_on = e.starts_on and r.ends_on = e.ends_on
  )
  select initiative_id, month,
    coalesce(sum(cents) filter (where cost_category = 'capex'), 0)::bigint as capex_cents,
    coalesce(sum(cents) filter (where cost_category = 'opex'), 0)::bigint as opex_cents
  from counted
  group by initiative_id, month
  order by initiative_id, month`;

/**
 * Initiatives of an account by ascending id, including those without a budget, each with its spend through `as_of`. They are
 * read through cursors in the caller's transaction, so memory holds one initiative, and the number of queries is fixed.
 */
export async function* readInitiativeBudgets(
  client: ClientBase,
  {
    account_id,
    as_of,
    wanted,
  }: { readonly account_id: bigint; readonly as_of: Day; readonly wanted: Wanted },
): AsyncGenerator<InitiativeBudget> {
  const ofVersions = wantedInitiatives(wanted, '$2');
  const versions = byInitiative(
    cursorRows(client, {
      name: 'budget_versions',
      text: versionsOf(ofVersions.text),
      values: [account_id, ...ofVersions.values],
      columns: VERSION_COLUMNS,
    }),
  );
  const ofSpend = wantedInitiatives(wanted, '$3');
  const spend = cursorRows(client, {
    name: 'budget_spend',
    text: spendOf(ofSpend.text),
    values: [account_id, as_of, ...ofSpend.values],
    columns: SPEND_COLUMNS,
  });
  // An initiative without a version has no spend rows either.
  for await (const [rows, own] of joinByInitiative(versions, spend)) {
    const [{ initiative_id, initiative_currency }] = rows;
    yield {
      initiative_id,
      currency: initiative_currency,
      versions: rows.flatMap(versionOf),
      spend: own.map(({ month, capex_cents, opex_cents }) => ({ month, capex_cents, opex_cents })),
    };
  }
}

function versionOf(row: RowOf<typeof VERSION_COLUMNS>): BudgetVersion[] {
  if (row.id === null) return [];
  return [
    {
      id: row.id,
      status: row.status,
      source: row.source,
      capex_cents: row.capex_cents,
      opex_cents: row.opex_cents,
      opex_cadence: row.opex_cadence,
      currency: row.currency,
      effective_from: row.effective_from,
      ends_on: row.ends_on,
      reason: row.reason,
      set_by: row.set_by_id === null ? null : { id: row.set_by_id, name: row.set_by_name },
      decided_at: row.decided_at,
    },
  ];
}
