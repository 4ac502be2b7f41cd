import { column, defineTable } from './table.ts';

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
    column('metric_key', 'string', 'The canonical key of its metric.', { repeats: true }),
    column('metric_name', 'string?', 'The name of its metric; never empty.', {
      never_empty: true,
      repeats: true,
    }),
    column('initiative_id', 'id?', 'The initiative it was taken for; empty for the whole account.', {
      references: 'initiatives',
      repeats: true,
    }),
    column('role', 'string', 'Whether it measures the work or what came before it.', {
      values: ['reading', 'baseline'],
    }),
    column('value', 'number', 'The value in the unit of its metric; money in units of `currency`.'),
    column('currency', 'string?', 'The ISO 4217 currency of a money reading; empty otherwise.', {
      repeats: true,
    }),
    column('period_start', 'timestamp?', 'Midnight UTC of the first day it covers; empty without a period.', {
      from: "period_start::timestamp at time zone 'UTC'",
      repeats: true,
    }),
    column('period_end', 'timestamp?', 'Midnight UTC of the last day it covers; empty without an end.', {
      from: "period_end::timestamp at time zone 'UTC'",
      repeats: true,
    }),
    column('observed_at', 'timestamp?', 'When it was observed; empty when that is not known.'),
    column('sample_size', 'integer?', 'How many cases it was measured on; empty when that is not known.', {
      repeats: true,
    }),
    column('is_estimated', 'boolean', 'True when it was marked as an estimate.'),
    column('source_type', 'string', 'How the reading came to exist.', {
      values: ['integration', 'manual', 'assistant', 'csv', 'calculated', 'system', 'time_study'],
    }),
    column('connection_id', 'id?', 'The connection it was synced from; empty for other sources.', {
      repeats: true,
    }),
    column(
      'dimensions',
      'json',
      'Its breakdown as JSON with sorted keys; an empty object when it has none.',
      {
        repeats: true,
      },
    ),
    column('notes', 'text?', 'What a person wrote about it; empty when nothing.'),
    column('recorded_by_id', 'id?', 'The person who recorded it; empty when no person did.', {
      repeats: true,
    }),
    column('recorded_by_name', 'string?', 'The name of that person; empty when no person did.', {
      repeats: true,
    }),
    column('baseline_method', 'string?', 'How a baseline was found; empty on a reading.', {
      values: ['history', 'time_study', 'without_ai_sample', 'benchmark', 'estimate'],
    }),
    column('time_study_id', 'id?', 'The time study that gave it; empty for other sources.', {
      repeats: true,
    }),
    column(
      'valid_until',
      'date?',
      "Until when a time study's figure is good: its last day plus its re-study interval; empty for other sources.",
      { repeats: true },
    ),
  ],
});
