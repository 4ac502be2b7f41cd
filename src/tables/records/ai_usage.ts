import { computed, defineRecord, field } from '../record.ts';
import { created_at } from './shared-fields.ts';

/** What was used of a bill. */
export const AI_USAGE = defineRecord({
  name: 'ai_usage',
  component: 'AiUsage',
  description: 'What was used of a bill: a model, a unit and a day.',
  view: 'reporting.ai_usage',
  fields: {
    id: field(
      'id',
      'The row. Negative for what no row of the bill has, so that the rows add up to the bill.',
    ),
    bill_id: field('id', 'The bill.'),
    connection_id: field('id', 'The connection whose bill it is.'),
    month: field('date', 'The month of the bill, as its first day.'),
    used_on: field(
      'date',
      'The UTC day on which the charge begins; the first day of the month if not recorded.',
    ),
    initiative_id: field('id?', 'The initiative that the charge names; null without one.'),
    recorded: field('boolean', 'False for a cost whose use was not recorded: it is unknown, and not zero.'),
    is_ai: field('boolean', 'True for AI spend.'),
    service: field('string?', 'The service, as the bill names it; null when it names none.'),
    model: field('string?', 'The model, as the bill names it; null when it names none.'),
    unit: field(
      'string?',
      'What is counted: `input_tokens`, `cached_input_tokens`, `cache_write_input_tokens`, `output_tokens`, `tokens` of no known kind, `requests`, `seconds`, `images`, `seats`, or another unit as the bill writes it; null where the bill counts nothing.',
    ),
    quantity: field('string?', 'How much was used, as an exact decimal; null when not recorded.'),
    cost_class: field(
      'string',
      'What the cost is for: the use itself, or a commitment, credit, tax or correction.',
      { values: ['usage', 'commitment', 'credit', 'tax', 'correction'] },
    ),
    currency: field('string', 'The ISO 4217 currency of the bill.'),
    cost_cents: field('cents', 'The cost in cents of `currency`; the rows of a bill add up to it.'),
    billed_cost: field(
      'string?',
      'The exact cost in `currency`; null for a quantity that a file added, and when not recorded.',
    ),
    effective_cost: field(
      'string?',
      'The exact cost with commitments spread over their use; null when a charge of the row does not say it.',
    ),
    list_cost: field(
      'string?',
      'The exact list cost, as the bill says it; null when a charge of the row does not.',
    ),
    priced_cost: field(
      'string?',
      'The priced quantity times its list price, exactly; null when a charge of the row has no list price.',
    ),
    list_difference: computed(
      'string?',
      '`list_cost` less `priced_cost`, exactly: rounding where `cost_class` is `usage`, else what `cost_class` says. The whole `list_cost` of a credit, tax or correction without a price. Null when not compared: a charge has no list price or no list cost.',
    ),
    unit_cost: field(
      'number?',
      '`billed_cost` for one unit; null without a quantity or a cost, or for a quantity of zero.',
    ),
    created_at,
    updated_at: field('timestamp', 'Last changed; lists are ordered by it.'),
  },
});
