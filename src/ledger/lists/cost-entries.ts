import type { InferResult } from 'kysely';
import type { ClientBase } from 'pg';
import { COST_ENTRY } from '../../tables/records/cost_entry.ts';
import { type EntryFilters, readEntries } from './entry-pages.ts';
import type { PageQuestion } from './keyset.ts';
import { selectRecord } from './select-record.ts';

const COST_ENTRIES = selectRecord(COST_ENTRY, ['app_url']);

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
