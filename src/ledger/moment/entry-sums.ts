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

// The figures floor freed capacity less realised capacity at zero for each initiative and month. So one group adds the months
// in which something remains, another group the months in which nothing remains: flooring each group gives the same figures.
// All other sums are not grouped by month, because there may be half as many months as entries. Value and cost are queried
// separately, because PostgreSQL computes every column of their union, needed or not.
const sumsQuery = (condition: string, of: '' | 'initiative_id'): string => {
  const [column, group] = of === '' ? ['', ''] : [`${of},`, `group by ${of}`];
  return `
  select ${column} max(day) as latest_day,
    coalesce(sum(cash_value_cents), 0)::bigint as cash_value_cents,
    0::bigint as capacity_cents,
    0::bigint as capacity_realized_cents,
    0::bigint as capex_cents,
    0::bigint as opex_cents,
    sum(vendor_price_effect_cents)::bigint as vendor_price_effect_cents
  from reporting.approved_value_amounts
  where ${condition}
  ${group}
  union all
  select ${column} null, 0, sum(capacity_cents)::bigint, sum(capacity_realized_cents)::bigint, 0, 0, null
  from (
    select initiative_id, sum(capacity_cents) as capacity_cents, sum(capacity_realized_cents) as capacity_realized_cents
    from reporting.approved_value_amounts
    where ${condition} and is_capacity
    group by initiative_id, month
  ) months
  group by ${column} capacity_cents > capacity_realized_cents
  union all
  select ${column} max(day), 0, 0, 0, coalesce(sum(capex_cents), 0)::bigint, coalesce(sum(opex_cents), 0)::bigint, null
  from reporting.cost_amounts
  where ${condition}
  ${group}`;
};

/** The sums of a scope, in at most four groups. They roll up to the same figures as the sums by initiative and month. */
export async function readScopeSums(client: ClientBase, scope: EntryScope): Promise<readonly Sums[]> {
  const { text, values } = entryCondition(scope);
  const query = { text: sumsQuery(text, ''), values, columns: SUM_COLUMNS };
  return await readStatement(client, { name: 'the sums of a scope', ...query });
}

/** The same sums of each initiative in a scope, at most four groups each. An initiative without entries has no group. */
export async function readInitiativeSums(
  client: ClientBase,
  scope: EntryScope,
): Promise<readonly (Sums & { readonly initiative_id: bigint })[]> {
  const { text, values } = entryCondition(scope);
  return await readStatement(client, {
    name: 'the sums of initiatives',
    text: sumsQuery(text, 'initiative_id'),
    values,
    columns: { initiative_id: 'int8', ...SUM_COLUMNS },
  });
}
