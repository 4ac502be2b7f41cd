import { type Condition, when } from './keyset.ts';

/** What lists of entries, cost or value, may be narrowed to. */
export interface EntryFilters {
  readonly initiative_id?: bigint | undefined;
  /** First and last day on which the entry's period may begin; an entry without a period matches neither. */
  readonly period_from?: string | undefined;
  readonly period_to?: string | undefined;
  readonly include_sample: boolean;
}

/** The filters as conditions on the view's columns. */
export function entryConditions({
  initiative_id,
  period_from,
  period_to,
  include_sample,
}: EntryFilters): readonly Condition[] {
  return [
    ...when(initiative_id, 'initiative_id = ?'),
    ...when(period_from, 'period_start >= ?'),
    ...when(period_to, 'period_start <= ?'),
    ...(include_sample ? [] : [{ sql: 'not is_sample' }]),
  ];
}
