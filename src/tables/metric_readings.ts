import { column, defineTable, repeating } from './table.ts';

/** The readings and baselines behind approved formula entries, as they are now. */
export const metric_readings = defineTable({
  name: 'metric_readings',
  grain: 'one row per reading used by an approved formula entry',
  description:
    'The readings and baselines that approved calculated value rests on, as they are now; `value_inputs` has what was frozen.',
  key: ['observation_id'],
  from: `reporting.observations where account_id = :account_id and id in ( select observation_id from reporting.input_observations where account_id = :account_id and status = 'approved' and not is_sample) order by id`,
  columns: [
    column('observation_id', 'id', 'The reading.', { from: 'id' }),
    repeating('metric_key', 'string', 'The canonical key of its metric.'),
    repeating('metric_name', 'string?', 'The name of its metric; never empty.', {
      never_empty: true,
    }),
    repeating('initiative_id', 'id?', 'The initiative it was taken for; empty for the whole account.', {
      references: 'initiatives',
    }),
    column('role', 'string', 'Whether it measures the work or what came before it.', {
      values: ['reading', 'baseline'],
    }),
    column('value', 'number', 'The value in the unit of its metric; money in units of `currency`.'),
    repeating('currency', 'string?', 'The ISO 4217 currency of a money reading; empty otherwise.'),
    repeating(
      'period_start',
      'timestamp?',
      'Midnight UTC of the first day it covers; empty without a period.',
      {
        from: "period_start::timestamp at time zone 'UTC'",
      },
    ),
    repeating('period_end', 'timestamp?', 'Midnight UTC of the last day it covers; empty without an end.', {
      from: "period_end::timestamp at time zone 'UTC'",
    }),
    column('observed_at', 'timestamp?', 'When it was observed; empty when that is not known.'),
    repeating('sample_size', 'integer?', 'How many cases it was measured on; empty when that is not known.'),
    column('is_estimated', 'boolean', 'True when it was marked as an estimate.'),
    column('source_type', 'string', 'How the reading came to exist.', {
      values: ['integration', 'manual', 'assistant', 'csv', 'calculated', 'system', 'time_study'],
    }),
    repeating('connection_id', 'id?', 'The connection it was synced from; empty for other sources.'),
    repeating(
      'dimensions',
      'json',
      'Its breakdown as JSON with sorted keys; an empty object when it has none.',
    ),
    column('notes', 'text?', 'What a person wrote about it; empty when nothing.'),
    repeating('recorded_by_id', 'id?', 'The person who recorded it; empty when no person did.'),
    repeating('recorded_by_name', 'string?', 'The name of that person; empty when no person did.'),
    column('baseline_method', 'string?', 'How a baseline was found; empty on a reading.', {
      values: ['history', 'time_study', 'without_ai_sample', 'benchmark', 'estimate'],
    }),
    repeating('time_study_id', 'id?', 'The time study that gave it; empty for other sources.'),
    repeating(
      'valid_until',
      'date?',
      "Until when a time study's figure is good: its last day plus its re-study interval; empty for other sources.",
    ),
  ],
});
