import { listDifference } from '../../figures/usage.ts';
import { listAiUsage } from '../../ledger/lists/ai-usage.ts';
import { initiative_id, updated_since } from '../contract/queries.ts';
import { boolean, component, day, integer, number, oneOfThese, text, timestamp } from '../contract/shapes.ts';
import { shownAs } from '../contract/shown.ts';
import { defineResource } from '../live/resource.ts';

const row = component('AiUsage', 'What was used of a bill: a model, a unit and a day.', {
  id: integer('The row. Negative for what no row of the bill has, so that the rows add up to the bill.'),
  bill_id: integer('The bill.'),
  connection_id: integer('The connection whose bill it is.'),
  month: day('The month of the bill, as its first day.'),
  used_on: day('The UTC day on which the charge begins; the first day of the month if not recorded.'),
  initiative_id: integer('The initiative that the charge names; null without one.').nullable(),
  recorded: boolean('False for a cost whose use was not recorded: it is unknown, and not zero.'),
  is_ai: boolean('True for AI spend.'),
  service: text('The service, as the bill names it; null when it names none.').nullable(),
  model: text('The model, as the bill names it; null when it names none.').nullable(),
  unit: text(
    'What is counted: `input_tokens`, `cached_input_tokens`, `cache_write_input_tokens`, `output_tokens`, `tokens` of no known kind, `requests`, `seconds`, `images`, `seats`, or another unit as the bill writes it; null where the bill counts nothing.',
  ).nullable(),
  quantity: text('How much was used, as an exact decimal; null when not recorded.').nullable(),
  cost_class: oneOfThese(
    ['usage', 'commitment', 'credit', 'tax', 'correction'],
    'What the cost is for: the use itself, or a commitment, credit, tax or correction.',
  ),
  currency: text('The ISO 4217 currency of the bill.'),
  cost_cents: integer('The cost in cents of `currency`; the rows of a bill add up to it.'),
  billed_cost: text(
    'The exact cost in `currency`; null for a quantity that a file added, and when not recorded.',
  ).nullable(),
  effective_cost: text(
    'The exact cost with commitments spread over their use; null when a charge of the row does not say it.',
  ).nullable(),
  list_cost: text(
    'The exact list cost, as the bill says it; null when a charge of the row does not.',
  ).nullable(),
  priced_cost: text(
    'The priced quantity times its list price, exactly; null when a charge of the row has no list price.',
  ).nullable(),
  list_difference: text(
    '`list_cost` less `priced_cost`, exactly: rounding where `cost_class` is `usage`, else what `cost_class` says. The whole `list_cost` of a credit, tax or correction without a price. Null when not compared: a charge has no list price or no list cost.',
  ).nullable(),
  unit_cost: number(
    '`billed_cost` for one unit; null without a quantity or a cost, or for a quantity of zero.',
  ).nullable(),
  created_at: timestamp('First written.'),
  updated_at: timestamp('Last changed; lists are ordered by it.'),
});

/** Models, quantities and costs of bills, by day. */
export const ai_usage = defineResource({
  name: 'ai_usage',
  component: 'AiUsage',
  sentence: 'Models, quantities and costs of bills, by day.',
  row,
  filters: { updated_since, initiative_id },
  read: listAiUsage,
  show: (used) => shownAs(row, used, { list_difference: listDifference(used) }),
});
