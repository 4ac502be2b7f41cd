import type { ClientBase } from 'pg';
import { type EntryFilters, type EntrySource, readEntries } from './entry-pages.ts';
import type { PageQuestion, Place } from './keyset.ts';

/** A cost entry as the read API serves it. */
export interface CostEntryRow extends Place {
  readonly initiative_id: bigint;
  readonly amount_cents: bigint;
  readonly currency: string;
  readonly usd_amount_cents: bigint | null;
  readonly usd_rate: number | null;
  readonly usd_rate_from: string | null;
  readonly usd_rate_through: string | null;
  readonly usd_rate_provisional: boolean;
  readonly cost_type: string | null;
  readonly cost_category: 'capex' | 'opex';
  readonly period_start: string | null;
  readonly period_end: string | null;
  readonly vendor_id: bigint | null;
  readonly vendor_name: string | null;
  readonly description: string | null;
  readonly notes: string | null;
  readonly is_estimated: boolean;
  readonly locked: boolean;
  readonly source_type: 'manual' | 'assistant' | 'csv' | 'calculated' | 'integration' | 'system';
  readonly source_ref: string | null;
  readonly connection_id: bigint | null;
  readonly created_at: bigint;
  /** Its page in the application; null when no application is named. */
  readonly app_url: string | null;
}

const COST_ENTRIES: EntrySource = {
  view: 'reporting.cost_entries',
  table: 'ledger.cost_entries',
  month: 'booked_month',
  columns: `id, initiative_id, amount_cents, currency, usd_amount_cents, usd_rate::float8 as usd_rate, usd_rate_from,
    usd_rate_through, usd_rate_provisional, cost_type, cost_category, period_start, period_end, vendor_id, vendor_name,
    description, notes, is_estimated, locked, source_type, source_ref, connection_id, created_at, updated_at, app_url`,
};

/** A page of cost entries, in the order of their last change. */
export async function listCostEntries(
  client: ClientBase,
  page: PageQuestion,
  filters: Omit<EntryFilters, 'status'>,
): Promise<readonly CostEntryRow[]> {
  return await readEntries<CostEntryRow>(client, COST_ENTRIES, page, filters);
}
