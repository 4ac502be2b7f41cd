/** The sums of entries by initiative and month: the one place that forms them, for files, API and assistant alike. */
import type { ClientBase } from 'pg';
import type { EntrySums } from '../figures/rollup.ts';
import { eachRow } from './each-row.ts';
import { type EntryScope, entryCondition } from './entry-scope.ts';
import type { ReadType } from './read-types.ts';

/** What the sums are read as, in the order of the query. */
export const ENTRY_SUM_TYPES = {
  initiative_id: 'int8',
  month: 'date',
  latest_day: 'date',
  cash_value_cents: 'int8',
  capacity_cents: 'int8',
  capacity_realized_cents: 'int8',
  capex_cents: 'int8',
  opex_cents: 'int8',
  vendor_price_effect_cents: 'int8',
} as const satisfies Record<keyof EntrySums, ReadType>;

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

/** Hands on the sums of a scope, in no order and one at a time, so that none is held. */
export async function readEntrySums(
  client: ClientBase,
  scope: EntryScope,
  take: (sums: EntrySums) => void,
): Promise<void> {
  const { text, values } = entryCondition(scope);
  // The columns of the query are the fields of the sums.
  await eachRow(client, { text: entrySumsQuery(text), values }, (row) => take(row as EntrySums));
}
