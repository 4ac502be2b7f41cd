import type { ClientBase } from 'pg';
import { type EntryFilters, type EntrySource, readEntries } from './entry-pages.ts';
import type { PageQuestion, Place } from './keyset.ts';

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

/** A value entry as the read API serves it. */
export interface ValueEntryRow extends Place {
  readonly initiative_id: bigint;
  readonly amount_cents: bigint | null;
  readonly currency: string | null;
  readonly usd_amount_cents: bigint | null;
  readonly usd_rate: number | null;
  readonly usd_rate_from: string | null;
  readonly usd_rate_through: string | null;
  readonly status: (typeof VALUE_STATUSES)[number];
  readonly counts_toward_roi: boolean;
  readonly entry_type: (typeof ENTRY_TYPES)[number] | null;
  readonly period_start: string | null;
  readonly period_end: string | null;
  readonly is_estimated: boolean;
  readonly locked: boolean;
  readonly basis: (typeof BASES)[number];
  readonly confidence_score: number | null;
  readonly quality_score: number | null;
  readonly notes: string | null;
  readonly provenance: string | null;
  readonly formula_id: bigint | null;
  readonly formula_key: string | null;
  readonly formula_version: number | null;
  readonly source_type: 'manual' | 'assistant' | 'csv' | 'calculated' | 'integration';
  readonly source_ref: string | null;
  readonly connection_id: bigint | null;
  readonly approved_at: bigint | null;
  readonly created_at: bigint;
  /** Its page in the application; null when no application is named. */
  readonly app_url: string | null;
}

const VALUE_ENTRIES: EntrySource = {
  view: 'reporting.value_entries',
  table: 'ledger.value_entries',
  month: 'period_month',
  columns: `id, initiative_id, amount_cents, currency, usd_amount_cents, usd_rate::float8 as usd_rate, usd_rate_from,
    usd_rate_through, status, counts_toward_roi, entry_type, period_start, period_end, is_estimated, locked, basis,
    confidence_score, quality_score, notes, provenance, formula_id, formula_key, formula_version, source_type,
    source_ref, connection_id, approved_at, created_at, updated_at, app_url`,
};

/** A page of value entries of every status, in the order of their last change. */
export async function listValueEntries(
  client: ClientBase,
  page: PageQuestion,
  filters: EntryFilters,
): Promise<readonly ValueEntryRow[]> {
  return await readEntries<ValueEntryRow>(client, VALUE_ENTRIES, page, filters);
}
