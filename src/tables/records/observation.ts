import { defineRecord, field, source } from '../record.ts';
import { created_at } from './shared-fields.ts';

/** A reading of a metric, or a baseline. */
export const OBSERVATION = defineRecord({
  name: 'observations',
  component: 'Observation',
  description: 'A reading of a metric, or a baseline.',
  view: 'reporting.observations',
  frozen: 'kept and not is_sample',
  fields: {
    id: field('id', 'The observation.'),
    metric_id: field('id?', 'The metric that was observed.'),
    metric_key: field('string?', 'The canonical key of that metric.'),
    initiative_id: field('id?', 'The initiative it belongs to; null when it belongs to the whole account.'),
    value: field('number?', "In the metric's unit; money in `currency`."),
    currency: field('string?', 'The ISO 4217 currency of a money reading; null otherwise.'),
    role: field('string?', 'A reading, or a baseline to compare readings with.', {
      values: ['reading', 'baseline'],
    }),
    baseline_method: field(
      'string?',
      '`history`, `time_study` (measured); `without_ai_sample` (reconstructed); `benchmark`, `estimate` (estimates); null for a reading.',
      { values: ['history', 'time_study', 'without_ai_sample', 'benchmark', 'estimate'] },
    ),
    observed_at: field('timestamp?', 'When it was observed; null when only a period is known.'),
    period_start: field('date?', 'The first day it describes; null when it has no period.'),
    period_end: field('date?', 'The last day it describes; null when it has none.'),
    is_estimated: field('boolean', 'True when the observation was marked as an estimate.'),
    sample_size: field('integer?', 'The number of measured cases; null when not recorded.'),
    quality_score: field('number?', '0 to 100; null when not assessed.'),
    source: source('string', {
      from: "case when source_type = 'time_study' then 'calculated' else source_type end",
    }),
    created_at,
    updated_at: field('timestamp', 'The last change; lists are ordered by it.'),
  },
});
