/** The sums of entries by initiative and month: the one place that forms them, for files, API and assistant alike. */
import type { ClientBase } from 'pg';
import type { EntrySums } from '../figures/rollup.ts';
import { cursorRows } from './cursor-rows.ts';
import { type EntryScope, entryCondition } from './entry-scope.ts';

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

/** The sums of a scope, in no order; read through a cursor in the caller's transaction, so that few are held. */
export function readEntrySums(client: ClientBase, scope: EntryScope): AsyncGenerator<EntrySums> {
  const { text, values } = entryCondition(scope);
  return cursorRows<EntrySums>(client, { name: 'entry_sums', text: entrySumsQuery(text), values });
}
