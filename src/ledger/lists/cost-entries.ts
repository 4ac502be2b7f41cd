import type { InferResult } from 'kysely';
import type { ClientBase } from 'pg';
import { asNumber, db } from '../../database/query.ts';
import { type EntryFilters, readEntries } from './entry-pages.ts';
import type { PageQuestion } from './keyset.ts';

const COST_ENTRIES = db
  .selectFrom('reporting.cost_entries')
  .select(['id', 'initiative_id', 'amount_cents', 'currency', 'usd_amount_cents'])
  .select((eb) => asNumber(eb.ref('usd_rate')).as('usd_rate'))
  .select(['usd_rate_from', 'usd_rate_through', 'usd_rate_provisional', 'cost_type', 'cost_category'])
  .select(['period_start', 'period_end', 'vendor_id', 'vendor_name', 'description', 'notes', 'is_estimated'])
  .select(['locked', 'source_type', 'source_ref', 'connection_id', 'created_at', 'updated_at', 'app_url']);

/**
 * A cost entry as the read API serves it. `app_url`: its page in the application; null if neither the account nor the
 * settings have an application address.
 */
export type CostEntryRow = InferResult<typeof COST_ENTRIES>[number];

/** Reads one page of cost entries that match the filters, oldest change first unless `page.first` says otherwise. */
export async function listCostEntries(
  client: ClientBase,
  page: PageQuestion,
  filters: EntryFilters,
): Promise<readonly CostEntryRow[]> {
  const source = { query: COST_ENTRIES, table: 'ledger.cost_entries', month: 'booked_month' } as const;
  return await readEntries(client, source, page, filters);
}
