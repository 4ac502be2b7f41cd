import type { ClientBase } from 'pg';
import { type PageQuestion, type Place, readPage, when } from './keyset.ts';

export const BASELINE_METHODS = [
  'history',
  'time_study',
  'without_ai_sample',
  'benchmark',
  'estimate',
] as const;

/** An observation as the read API serves it. */
export interface ObservationRow extends Place {
  readonly metric_id: bigint;
  readonly metric_key: string;
  readonly initiative_id: bigint | null;
  readonly value: number;
  readonly currency: string | null;
  readonly role: 'reading' | 'baseline';
  readonly baseline_method: (typeof BASELINE_METHODS)[number] | null;
  readonly observed_at: bigint | null;
  readonly period_start: string | null;
  readonly period_end: string | null;
  readonly is_estimated: boolean;
  readonly sample_size: number | null;
  readonly quality_score: number | null;
  readonly source_type: 'integration' | 'manual' | 'assistant' | 'csv' | 'calculated' | 'system';
  readonly source_ref: string | null;
  readonly connection_id: bigint | null;
  readonly created_at: bigint;
}

export interface ObservationFilters {
  readonly initiative_id?: bigint | undefined;
  readonly metric_key?: string | undefined;
}

const OBSERVATIONS = {
  view: 'reporting.observations',
  columns: `id, metric_id, metric_key, initiative_id, value, currency, role, baseline_method, observed_at, period_start,
    period_end, is_estimated, sample_size, quality_score,
    case when source_type = 'time_study' then 'calculated' else source_type end as source_type,
    source_ref, connection_id, created_at, updated_at`,
};

/** A page of observations that were not deleted and belong to no sample initiative, oldest change first. */
export async function listObservations(
  client: ClientBase,
  page: PageQuestion,
  { initiative_id, metric_key }: ObservationFilters,
): Promise<readonly ObservationRow[]> {
  return await readPage<ObservationRow>(client, OBSERVATIONS, page, [
    { sql: 'kept' },
    { sql: 'not is_sample' },
    ...when(initiative_id, 'initiative_id = ?'),
    // By the metric's id, found first: the index in the order of changes has no key of metrics. $1 is the account.
    ...when(
      metric_key,
      'metric_id = (select m.id from ledger.metrics m where m.account_id = $1 and m.metric_key = ?)',
    ),
  ]);
}
