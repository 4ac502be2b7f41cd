import { costs } from '../costs.ts';
import { defineRecord, field, source } from '../record.ts';
import { created_at, RATE } from './shared-fields.ts';

/** A cost entry. */
export const COST_ENTRY = defineRecord({
  name: 'cost_entries',
  component: 'CostEntry',
  description: 'A cost of an initiative.',
  view: 'reporting.cost_entries',
  frozen: 'not is_sample',
  counterpart: { table: costs, empty: { cost_type: "'other'", usd_rate_provisional: 'false' } },
  fields: {
    id: field('id', 'The cost entry.'),
    initiative_id: field('id', 'The initiative that bears the cost.'),
    amount_cents: field('cents?', 'The cost in cents of `currency`, as recorded; negative for a credit.'),
    currency: field('string?', 'The ISO 4217 currency of the entry.'),
    usd_amount_cents: field(
      'cents?',
      'The cost in US cents; null, and in no total of `/roi`, for a currency without published rates or a cost locked in its month before conversion.',
    ),
    ...RATE,
    usd_rate_provisional: field(
      'boolean',
      'True while the latest rate replaces the average of an incomplete period. The amount moves to the average later, and `updated_at` with it, unless the month was locked before.',
    ),
    cost_type: field(
      'string?',
      "What was paid for, for example software, tokens, implementation or infrastructure; `adjustment` corrects a linked vendor's usage to the books' price and may be negative; null when not given.",
    ),
    cost_category: field(
      'string',
      'One-time cost (`capex`) or running cost (`opex`); follows from the type unless a person changed it.',
      { values: ['capex', 'opex'] },
    ),
    period_start: field(
      'date?',
      'The first day of the period, which decides the window; null for an undated cost.',
    ),
    period_end: field('date?', 'The last day of the period; null when none was given.'),
    vendor_id: field(
      'id?',
      'The field to group spend by: resolved from `vendor_name`, and changed when vendors are merged; null without a name.',
    ),
    vendor_name: field('string?', 'The vendor as recorded; one vendor can carry several names.'),
    description: field('text?', 'Free text; null when none was given.'),
    notes: field('text?', 'Free text; null when none was given.'),
    is_estimated: field('boolean', 'True when the entry was marked as an estimate.'),
    locked: field(
      'boolean',
      'True in a locked accounting period: the entry cannot be changed or deleted until the month is reopened.',
    ),
    source: source('string'),
    created_at,
    updated_at: field('timestamp', 'The last change; lists are ordered by it.'),
  },
});
