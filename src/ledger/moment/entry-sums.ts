/** The sums of entries, by initiative and month or of a scope: the one place that forms them, for files, API and assistant. */
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

/** What the sums are read as, in the order of the query. */
export const ENTRY_SUM_COLUMNS = { initiative_id: 'int8', month: 'date?', ...SUM_COLUMNS } as const;

/** The query of the sums of those entries that a condition on `reporting.entry_amounts` admits. */
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

// Of all that is summed, only what capacity leaves of a month is not the same for the months together as for each: it is
// never below zero. So months that leave something are added up apart from those that leave nothing, and the rest of
// the entries without looking at months, of which there may be half as many as entries. Of value and cost apart, because
// PostgreSQL works out every column of a union of them, asked for or not.
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

/** The sums of a scope, as a few groups that roll up to what its initiatives' months do. */
export async function readScopeSums(client: ClientBase, scope: EntryScope): Promise<readonly Sums[]> {
  const { text, values } = entryCondition(scope);
  const query = { text: scopeSumsQuery(text), values, columns: SUM_COLUMNS };
  return await readStatement(client, { name: 'the sums of a scope', ...query });
}
