/** Sums of entries, by initiative and month or for a scope. Files, API and assistant all use these queries. */
import type { ClientBase } from 'pg';
import { readStatement } from '../../database/columns.ts';
import type { Sums } from '../../figures/rollup.ts';
import { type EntryScope, entryCondition } from './entry-scope.ts';

const SUM_COLUMNS = {
  latest_day: 'date?',
  cash_value_cents: 'int8',
  capacity_cents: 'int8',
  capacity_realized_cents: 'int8',
  capex_cents: 'int8',
  opex_cents: 'int8',
  vendor_price_effect_cents: 'int8?',
} as const;

/** The types of the sums, in the order of the query. */
export const ENTRY_SUM_COLUMNS = { initiative_id: 'int8', month: 'date?', ...SUM_COLUMNS } as const;

/** The query for the sums of the entries that match a condition on `reporting.entry_amounts`. */
export function entrySumsQuery(condition: string): string {
  return `
    select initiative_id, month, max(day) as latest_day,
      sum(cash_value_cents)::bigint as cash_value_cents,
      sum(capacity_cents)::bigint as capacity_cents,
      sum(capacity_realized_cents)::bigint as capacity_realized_cents,
      sum(capex_cents)::bigint as capex_cents,
      sum(opex_cents)::bigint as opex_cents,
      sum(vendor_price_effect_cents)::bigint as vendor_price_effect_cents
    from reporting.entry_amounts
    where ${condition}
    group by initiative_id, month`;
}

// Only one sum cannot be added over months at once: remaining capacity, because it is floored at zero in each month. So
// months with remaining capacity are added apart from months without it. All other entries are added without grouping by
// month, because there may be half as many months as entries. Value and cost are queried apart, because PostgreSQL
// computes every column of their union, needed or not.
const scopeSumsQuery = (condition: string): string => `
  select max(day) as latest_day,
    coalesce(sum(cash_value_cents), 0)::bigint as cash_value_cents,
    0::bigint as capacity_cents,
    0::bigint as capacity_realized_cents,
    0::bigint as capex_cents,
    0::bigint as opex_cents,
    sum(vendor_price_effect_cents)::bigint as vendor_price_effect_cents
  from reporting.approved_value_amounts
  where ${condition}
  union all
  select null, 0, sum(capacity_cents)::bigint, sum(capacity_realized_cents)::bigint, 0, 0, null
  from (
    select sum(capacity_cents) as capacity_cents, sum(capacity_realized_cents) as capacity_realized_cents
    from reporting.approved_value_amounts
    where ${condition} and is_capacity
    group by initiative_id, month
  ) months
  group by capacity_cents > capacity_realized_cents
  union all
  select max(day), 0, 0, 0, coalesce(sum(capex_cents), 0)::bigint, coalesce(sum(opex_cents), 0)::bigint, null
  from reporting.cost_amounts
  where ${condition}`;

/** The sums of a scope, in a few groups. They roll up to the same figures as the sums by initiative and month. */
export async function readScopeSums(client: ClientBase, scope: EntryScope): Promise<readonly Sums[]> {
  const { text, values } = entryCondition(scope);
  const query = { text: scopeSumsQuery(text), values, columns: SUM_COLUMNS };
  return await readStatement(client, { name: 'the sums of a scope', ...query });
}
