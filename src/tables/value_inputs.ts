import { column, defineTable, repeating } from './table.ts';

/** The inputs frozen with each approved formula entry. */
export const value_inputs = defineTable({
  name: 'value_inputs',
  grain: 'one row per input of each approved formula entry',
  description:
    'What each calculated value read, frozen with the figure; joins to `reported_value` on `value_entry_id` and to `metric_readings` on `observation_id`.',
  key: ['value_entry_id', 'variable'],
  from: `reporting.value_inputs where account_id = :account_id and status = 'approved' and not is_sample order by value_entry_id, variable collate "C"`,
  columns: [
    column('value_entry_id', 'id', 'The value entry that read the input.', {
      references: 'reported_value',
    }),
    column('initiative_id', 'id', 'The initiative of that entry.', {
      references: 'initiatives',
    }),
    repeating('variable', 'string', 'The name of the input in the expression.'),
    repeating('label', 'string?', 'The input in words; empty when it has none.'),
    repeating('value', 'number?', 'The value that was used; empty when the input had none.'),
    column('source_type', 'string?', 'Where the value came from; empty when it was not recorded.', {
      values: ['observation', 'baseline', 'assumption', 'period', 'derived'],
    }),
    repeating(
      'metric_key',
      'string?',
      'The metric that was read; empty unless it is a reading or a baseline.',
    ),
    column(
      'observation_id',
      'id?',
      'The reading that was used; empty unless it is a reading or a baseline.',
      {
        references: 'metric_readings',
      },
    ),
    repeating('assumption_id', 'id?', 'The assumption that was used; empty for other sources.'),
    repeating('assumption_key', 'string?', 'The stable key of that assumption; empty for other sources.'),
    column('assumption_scope', 'string?', 'Whose assumption it is; empty for other sources.', {
      values: ['system', 'account'],
    }),
    column(
      'requires_confirmation',
      'boolean?',
      'True when a default still awaited confirmation as it was used; empty when that was not recorded.',
    ),
    repeating(
      'assumption_effective_from',
      'string?',
      'The day from which the assumption held, as recorded; empty for other sources.',
    ),
    repeating(
      'observed_at',
      'string?',
      'The day or ISO 8601 time of the reading, as recorded; empty if it has none.',
    ),
    repeating(
      'input_period_start',
      'string?',
      'The first day that the reading covers, as recorded; empty if none.',
    ),
    repeating(
      'input_period_end',
      'string?',
      'The last day that the reading covers, as recorded; empty if none.',
    ),
    repeating('expression', 'string?', 'How a derived input was worked out; empty for other sources.'),
  ],
});
