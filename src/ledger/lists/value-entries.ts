import type { InferResult, NotNull } from 'kysely';
import type { ClientBase } from 'pg';
import { asNumber, db } from '../../database/query.ts';
import { type EntryFilters, readEntries } from './entry-pages.ts';
import type { PageQuestion } from './keyset.ts';

/** The states of a value entry; only approved ones are reported value. */
export const VALUE_STATUSES = [
  'draft',
  'calculated',
  'reviewed',
  'approved',
  'disputed',
  'archived',
] as const;

export const ENTRY_TYPES = [
  'revenue_gain',
  'cost_savings',
  'cost_avoidance',
  'capacity_realized',
  'capacity',
] as const;

export const BASES = ['measured', 'reconstructed', 'estimated', 'none'] as const;

const VALUE_ENTRIES = db
  .selectFrom('reporting.value_entries')
  .select(['id', 'initiative_id', 'amount_cents', 'currency', 'usd_amount_cents'])
  .select((eb) => asNumber(eb.ref('usd_rate')).as('usd_rate'))
  .select(['usd_rate_from', 'usd_rate_through', 'status', 'counts_toward_roi', 'entry_type', 'period_start'])
  // Never null, although the generated type of the view allows it: an approved entry has a type.
  .$narrowType<{ counts_toward_roi: NotNull }>()
  .select(['period_end', 'is_estimated', 'locked', 'basis', 'confidence_score', 'quality_score', 'notes'])
  .select(['provenance', 'formula_id', 'formula_key', 'formula_version', 'source_type', 'source_ref'])
  .select(['connection_id', 'approved_at', 'created_at', 'updated_at', 'app_url']);

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
