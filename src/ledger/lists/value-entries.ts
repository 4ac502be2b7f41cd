import type { InferResult } from 'kysely';
import type { ClientBase } from 'pg';
import { VALUE_ENTRY } from '../../tables/records/value_entry.ts';
import { type EntryFilters, readEntries } from './entry-pages.ts';
import type { PageQuestion } from './keyset.ts';
import { selectRecord } from './select-record.ts';

const VALUE_ENTRIES = selectRecord(VALUE_ENTRY, ['app_url']);

/**
 * A value entry as the read API serves it. `app_url`: its page in the application; null if neither the account nor the
 * settings have an application address.
 */
export type ValueEntryRow = InferResult<typeof VALUE_ENTRIES>[number];

export interface ValueFilters extends EntryFilters {
  readonly status?: ValueEntryRow['status'] | undefined;
}

/** Reads one page of value entries that match the filters, oldest change first unless `page.first` says otherwise. */
export async function listValueEntries(
  client: ClientBase,
  page: PageQuestion,
  { status, ...filters }: ValueFilters,
): Promise<readonly ValueEntryRow[]> {
  const query = status === undefined ? VALUE_ENTRIES : VALUE_ENTRIES.where('status', '=', status);
  const source = { query, table: 'ledger.value_entries', month: 'period_month' } as const;
  return await readEntries(client, source, page, filters, status !== undefined);
}
