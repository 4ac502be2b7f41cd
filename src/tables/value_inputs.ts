import { columnsOf, defineTable, field, repeating } from './table.ts';

/** The inputs of each approved formula entry, as they were when the value was calculated. */
export const value_inputs = defineTable({
  name: 'value_inputs',
  grain: 'one row per input of each approved formula entry',
  description:
    'The inputs of each calculated value, stored with the figure when it was calculated; joins to `reported_value` on `value_entry_id` and to `metric_readings` on `observation_id`.',
  key: ['value_entry_id', 'variable'],
  from: `reporting.value_inputs where account_id = :account_id and status = 'approved' and not is_sample order by value_entry_id, variable collate "C"`,
  columns: columnsOf({
    value_entry_id: field('id', 'The value entry that read the input.', {
      references: 'reported_value',
    }),
    initiative_id: field('id', 'The initiative of that entry.', {
      references: 'initiatives',
    }),
    variable: repeating('string', 'The name of the input in the expression.'),
    label: repeating('string?', 'The input in words; empty when it has none.'),
    value: repeating('number?', 'The value that was used; empty when the input had none.'),
    source_type: field('string?', 'Where the value came from; empty when it was not recorded.', {
      values: ['observation', 'baseline', 'assumption', 'period', 'derived'],
    }),
    metric_key: repeating('string?', 'The metric that was read; empty unless it is a reading or a baseline.'),
    observation_id: field('id?', 'The reading that was used; empty unless it is a reading or a baseline.', {
      references: 'metric_readings',
    }),
    assumption_id: repeating('id?', 'The assumption that was used; empty for other sources.'),
    assumption_key: repeating('string?', 'The stable key of that assumption; empty for other sources.'),
    assumption_scope: field('string?', 'Whose assumption it is; empty for other sources.', {
      values: ['system', 'account'],
    }),
    requires_confirmation: field(
      'boolean?',
      'True when a default still awaited confirmation as it was used; empty when that was not recorded.',
    ),
    assumption_effective_from: repeating(
      'string?',
      'The day from which the assumption held, as recorded; empty for other sources.',
    ),
    observed_at: repeating(
      'string?',
      'The day or ISO 8601 time of the reading, as recorded; empty if it has none.',
    ),
    input_period_start: repeating(
      'string?',
      'The first day that the reading covers, as recorded; empty if none.',
    ),
    input_period_end: repeating(
      'string?',
      'The last day that the reading covers, as recorded; empty if none.',
    ),
    expression: repeating('string?', 'How a derived input was worked out; empty for other sources.'),
  }),
});
