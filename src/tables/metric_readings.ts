import { columnsOf, defineTable, field, repeating } from './table.ts';

/** The readings and baselines on which approved formula entries are based, as they are at the moment of the snapshot. */
export const metric_readings = defineTable({
  name: 'metric_readings',
  grain: 'one row per reading used by an approved formula entry',
  description:
    'The readings and baselines on which approved calculated value is based, as they are at the moment of the snapshot. `value_inputs` has their values as they were when the value was calculated.',
  key: ['observation_id'],
  from: `reporting.observations where account_id = :account_id and id in ( select observation_id from reporting.input_observations where account_id = :account_id and status = 'approved' and not is_sample) order by id`,
  columns: columnsOf({
    observation_id: field('id', 'The reading.', { from: 'id' }),
    metric_key: repeating('string', 'The canonical key of its metric.'),
    metric_name: repeating('string?', 'The name of its metric; never empty.', {
      never_empty: true,
    }),
    initiative_id: repeating('id?', 'The initiative it was taken for; empty for the whole account.', {
      references: 'initiatives',
    }),
    role: field('string', '`baseline` if it measures the time before the initiative, otherwise `reading`.', {
      values: ['reading', 'baseline'],
    }),
    value: field('number', 'The value in the unit of its metric; money in units of `currency`.'),
    currency: repeating('string?', 'The ISO 4217 currency of a money reading; empty otherwise.'),
    period_start: repeating(
      'timestamp?',
      'Midnight UTC of the first day it covers; empty without a period.',
      {
        from: "period_start::timestamp at time zone 'UTC'",
      },
    ),
    period_end: repeating('timestamp?', 'Midnight UTC of the last day it covers; empty without an end.', {
      from: "period_end::timestamp at time zone 'UTC'",
    }),
    observed_at: field('timestamp?', 'When it was observed; empty when that is not known.'),
    sample_size: repeating('integer?', 'How many cases it was measured on; empty when that is not known.'),
    is_estimated: field('boolean', 'True when it was marked as an estimate.'),
    source_type: field('string', 'How the reading came to exist.', {
      values: ['integration', 'manual', 'assistant', 'csv', 'calculated', 'system', 'time_study'],
    }),
    connection_id: repeating('id?', 'The connection it was synced from; empty for other sources.'),
    dimensions: repeating(
      'json',
      'Its breakdown as JSON with sorted keys; an empty object when it has none.',
    ),
    notes: field('text?', 'What a person wrote about it; empty when nothing.'),
    recorded_by_id: repeating('id?', 'The person who recorded it; empty when no person did.'),
    recorded_by_name: repeating('string?', 'The name of that person; empty when no person did.'),
    baseline_method: field('string?', 'How a baseline was found; empty on a reading.', {
      values: ['history', 'time_study', 'without_ai_sample', 'benchmark', 'estimate'],
    }),
    time_study_id: repeating('id?', 'The time study that gave it; empty for other sources.'),
    valid_until: repeating(
      'date?',
      'The day until which a figure of a time study is valid: the last day of the study plus the months after which it must be repeated; empty for other sources.',
    ),
  }),
});
